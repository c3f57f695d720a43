package source

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math/big"
	"regexp"
	"strings"
	"time"

	"simhashkit/datasets/documents"
	"simhashkit/dedup"
)

// Keep says which record of each group is kept. The zero value is the first.
type Keep struct {
	Name  string // such as "the longest"; "" is the first
	field string // field of the values; "" means the length of the text
	least bool   // prefer the smallest value
}

// ParseKeep returns the Keep of a text: first, longest, shortest, max:FIELD or min:FIELD.
func ParseKeep(text string) (Keep, error) {
	verb, field, _ := strings.Cut(text, ":")
	switch {
	case text == "first":
		return Keep{}, nil
	case text == "longest":
		return Keep{Name: "the longest"}, nil
	case text == "shortest":
		return Keep{Name: "the shortest", least: true}, nil
	case verb == "max" && field != "":
		return Keep{"the one with the largest " + field, field, false}, nil
	case verb == "min" && field != "":
		return Keep{"the one with the smallest " + field, field, true}, nil
	}
	return Keep{}, fmt.Errorf("%q: expected first, longest, shortest, max:FIELD or min:FIELD", text)
}

// KeepError is the error of a value that Keep needs.
type KeepError struct{ error }

func (e KeepError) Unwrap() error { return e.error }

// Values returns a function that reads the values of the documents of one file, or of all files if
// its path is "".
func (s *Source) Values(keep Keep) dedup.Values[[]byte] {
	kind := ""
	return func(ctx context.Context, path string, want func(int) bool) iter.Seq2[[]byte, error] {
		return s.wanted(ctx, path, keep.field, want, s.valueOf(keep, &kind))
	}
}

// valueOf returns a function that returns the value of a document. All values must have the same
// kind, which the first one sets. With Hints.OnError, an invalid value is reported and counts as
// missing.
func (s *Source) valueOf(keep Keep, kind *string) func(*documents.Document) ([]byte, error) {
	return func(d *documents.Document) ([]byte, error) {
		value, err := keep.valueOf(d, kind)
		if err != nil && s.hints.OnError != nil {
			s.hints.OnError(KeepError{fmt.Errorf("%w; the value counts as missing", err)})
			return nil, nil
		}
		if err != nil {
			err = KeepError{err}
		}
		return value, err
	}
}

// valueOf returns the document's sort key (the largest wins), or nil if the field is missing. All
// values must have the same kind; the first value sets *kind.
func (p Keep) valueOf(d *documents.Document, kind *string) ([]byte, error) {
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
