package documents

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"simhashkit/datasets"
)

// cutter cuts a source into documents.
type cutter interface {
	// next stores the next document. An error of one record is a RecordError; after any other one,
	// io.EOF included, there is no next document.
	next(*Document) error
}

// RecordError is the error of a record, after which the next one can be read: those that OnError
// gets are such, and without it Read returns the first of them.
type RecordError struct{ Err error }

// Error says what was expected, and where.
func (e RecordError) Error() string { return e.Err.Error() }

// Unwrap returns the error.
func (e RecordError) Unwrap() error { return e.Err }

// reader reads the documents of a cutter.
type reader struct {
	ctx     context.Context
	cutter  cutter
	closer  io.Closer // may be nil
	onError func(error)
	number  int   // of records so far
	err     error // what every further Read returns
}

func (r *reader) Read(d *Document) error {
	for r.err == nil {
		// A reader of a stream sees the end of the context, but not while its buffer lasts.
		if r.ctx.Err() != nil {
			r.err = fmt.Errorf("documents: %w", context.Cause(r.ctx))
			break
		}
		err := r.cutter.next(d)
		r.number++
		if err == nil {
			d.Number = r.number
			return nil
		}
		var bad RecordError
		switch {
		case !errors.As(err, &bad):
			r.err = err
		case r.onError != nil:
			r.onError(bad.Err)
		default:
			r.err = bad
		}
	}
	return r.err
}

func (r *reader) Close() error {
	if r.closer == nil {
		return nil
	}
	return r.closer.Close()
}

// syntaxError returns a bad record's error, which says where it is malformed.
func syntaxError(file string, line, column int, want string, got []byte) RecordError {
	return RecordError{datasets.NewSyntaxError(file, line, column, want, got)}
}

// checkUTF8 returns an error when a text is no UTF-8, whose first byte is at a line and a column.
func checkUTF8(text []byte, file string, line, column int) error {
	at := FirstInvalid(text)
	if at < 0 {
		return nil
	}
	column += at
	if feed := bytes.LastIndexByte(text[:at], '\n'); feed >= 0 {
		line, column = line+bytes.Count(text[:at], []byte("\n")), at-feed
	}
	return syntaxError(file, line, column, "UTF-8 text", text[at:min(len(text), at+quoted)])
}

// FirstInvalid returns where a text is no UTF-8 for the first time, -1 if all of it is.
func FirstInvalid(text []byte) int {
	if utf8.Valid(text) {
		return -1
	}
	at := 0
	for {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size <= 1 {
			return at
		}
		at += size
	}
}

// quoted is how much of a text an error shows from the place on where it is wrong.
const quoted = 16

var byteOrderMark = []byte("\ufeff")
