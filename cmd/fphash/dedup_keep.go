package main

import (
	"cmp"
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"time"

	"simhashkit/datasets/documents"
)

// The values of --keep.
const (
	keepFirst    = "first"
	keepLongest  = "longest"
	keepShortest = "shortest"
	keepMax      = "max:" // followed by a field
	keepMin      = "min:"
)

// preferred is the parsed value of --keep.
type preferred struct {
	name  string // such as "the longest"; "" means the first record
	field string // field of the values; "" means the length of the text
	least bool   // prefer the smallest value
}

func parseKeep(text string) (preferred, error) {
	verb, field, _ := strings.Cut(text, ":")
	switch {
	case text == keepFirst:
		return preferred{}, nil
	case text == keepLongest:
		return preferred{name: "the longest"}, nil
	case text == keepShortest:
		return preferred{name: "the shortest", least: true}, nil
	case verb+":" == keepMax && field != "":
		return preferred{"the one with the largest " + field, field, false}, nil
	case verb+":" == keepMin && field != "":
		return preferred{"the one with the smallest " + field, field, true}, nil
	}
	return preferred{}, fmt.Errorf("--keep %q: expected first, longest, shortest, max:FIELD or min:FIELD", text)
}

// value returns the result of valueOf. With keepGoing, it reports an invalid value and treats it as
// missing.
func (p preferred) value(document *documents.Document, kind *string, keepGoing bool, report func(error)) ([]byte, error) {
	value, err := p.valueOf(document, kind)
	if err != nil {
		err = fmt.Errorf("--keep: %w", err)
	}
	if err != nil && keepGoing {
		report(fmt.Errorf("%w; the value counts as missing", err))
		return nil, nil
	}
	return value, err
}

// valueOf returns the document's sort key (the largest wins), or nil if the field is missing. All
// values must have the same kind; the first value sets *kind.
func (p preferred) valueOf(d *documents.Document, kind *string) ([]byte, error) {
	value, got := big.NewRat(int64(len(d.Text)), 1), ""
	if p.field != "" {
		text := strings.TrimSpace(string(d.Value))
		if text == "" {
			return nil, nil
		}
		expected := cmp.Or(*kind, aNumber+", or "+aDate)
		if value, got = parseValue(text); got == "" || *kind != "" && got != *kind {
			if got == "" && decimal.MatchString(exponent.ReplaceAllString(text, "")) {
				expected = "an exponent of at most three digits"
			}
			return nil, fmt.Errorf("%s:%d: field %q: expected %s, got %.40q", d.File, d.Line, p.field, expected, text)
		}
		*kind = got
	}
	if p.least {
		value.Neg(value)
	}
	return []byte(value.RatString()), nil
}

// The kinds of values.
const (
	aNumber = "a number"
	aDate   = "a date such as 2026-01-31"
)

// dateForms are the accepted formats of dates.
var dateForms = []string{time.RFC3339, "2006-01-02T15:04:05", time.DateTime, time.DateOnly}

// decimal matches a number. It limits the exponent, since 1e999 takes 1000 digits as an exact
// number.
var decimal = regexp.MustCompile(`^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?$`)

// exponent matches an exponent that is too long for decimal.
var exponent = regexp.MustCompile(`[eE][+-]?[0-9]{4,}$`)

// parseValue returns the exact number in a field, and its kind. A date is a number of seconds.
func parseValue(text string) (value *big.Rat, kind string) {
	if decimal.MatchString(text) {
		value, _ = new(big.Rat).SetString(text)
		return value, aNumber
	}
	for _, form := range dateForms {
		if date, err := time.Parse(form, text); err == nil {
			value = big.NewRat(int64(date.Nanosecond()), 1e9)
			return value.Add(value, big.NewRat(date.Unix(), 1)), aDate
		}
	}
	return nil, ""
}

// report prints an error that does not end the command.
func (d *dedupInput) report(err error) {
	d.progress.clear()
	fmt.Fprintln(d.stderr, "fphash:", err)
}
