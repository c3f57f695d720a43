package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"simhashkit/datasets/documents"
)

// What --keep says: which record of a group is kept.
const (
	keepFirst    = "first"
	keepLongest  = "longest"
	keepShortest = "shortest"
	keepMax      = "max:" // and a field
	keepMin      = "min:"
)

// preferred is what --keep asks for.
type preferred struct {
	name  string  // in sentences; "" is the first
	field string  // that has the values; "" is the length of the text
	sign  float64 // -1 where the least is preferred
}

func parseKeep(text string) (preferred, error) {
	verb, field, _ := strings.Cut(text, ":")
	switch {
	case text == keepFirst:
		return preferred{}, nil
	case text == keepLongest:
		return preferred{name: "the longest", sign: 1}, nil
	case text == keepShortest:
		return preferred{name: "the shortest", sign: -1}, nil
	case verb+":" == keepMax && field != "":
		return preferred{"the one with the largest " + field, field, 1}, nil
	case verb+":" == keepMin && field != "":
		return preferred{"the one with the least " + field, field, -1}, nil
	}
	return preferred{}, fmt.Errorf("--keep %q: expected first, longest, shortest, max:FIELD or min:FIELD", text)
}

// values reads a file of so many documents again, and returns the values of some of them by their
// numbers, which ascend from 0.
func (p preferred) values(ctx context.Context, path string, count int, records []int, texts *textFlags) ([]float64, error) {
	options := texts.options(nil)
	options.ID = p.field
	var left error // the first that is left out, maybe for want of the field
	options.OnError = func(err error) { left = cmp.Or(left, err) }
	reader, err := texts.openAgain(ctx, path, options)
	if err != nil {
		return nil, fmt.Errorf("--keep: %w", err)
	}
	defer reader.Close()
	var d documents.Document
	var values []float64
	n := 0
	for ; ; n++ { // to the end, where it shows that all were read
		if err := reader.Read(&d); err == io.EOF {
			break
		} else if err != nil {
			return nil, fmt.Errorf("--keep: %w", err)
		}
		if len(values) == len(records) || records[len(values)] != n {
			continue
		}
		value := float64(len(d.Text))
		if p.field != "" {
			if value, err = valueOf(string(d.ID), p.sign); err != nil {
				return nil, fmt.Errorf("--keep: %s:%d: field %q: %w", d.File, d.Line, p.field, err)
			}
		}
		values = append(values, p.sign*value)
	}
	if n != count {
		if p.field == "" {
			return nil, fmt.Errorf("--keep: %s: expected %d documents, as many as were compared, got %d; run again", path, count, n)
		}
		err = fmt.Errorf("--keep: %s: expected %d documents with the field %q, as many as were compared, got %d", path, count, p.field, n)
		if left != nil {
			err = fmt.Errorf("%w: %w", err, left)
		}
		return nil, err
	}
	return values, nil
}

// openAgain opens what documents were read from once.
func (f *textFlags) openAgain(ctx context.Context, path string, options documents.Options) (documents.Reader, error) {
	args := []string{path}
	if !f.several(args) {
		return documents.Open(ctx, path, options)
	}
	paths, format, err := f.expandAll(args, func(string) {})
	if err != nil {
		return nil, err
	}
	options.Format = format
	return documents.OpenAll(ctx, paths, options)
}

// dateForms are the dates that a value may be.
var dateForms = []string{time.RFC3339, "2006-01-02T15:04:05", time.DateTime, time.DateOnly}

// valueOf returns the number that a field holds; a date counts in seconds. An empty field has the
// value that is preferred last.
func valueOf(text string, sign float64) (float64, error) {
	if text = strings.TrimSpace(text); text == "" {
		return math.Inf(-int(sign)), nil
	}
	if number, err := strconv.ParseFloat(text, 64); err == nil && !math.IsNaN(number) && !math.IsInf(number, 0) {
		return number, nil
	}
	for _, form := range dateForms {
		if date, err := time.Parse(form, text); err == nil {
			return float64(date.Unix()) + float64(date.Nanosecond())/1e9, nil
		}
	}
	return 0, fmt.Errorf("expected a number, or a date such as 2026-01-31, got %.40q", text)
}
