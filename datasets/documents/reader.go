package documents

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"simhashkit/datasets"
	"simhashkit/internal/lines"
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

// lineCutter splits a stream into lines, for formats with one record on each line.
type lineCutter struct {
	name  string
	lines *lines.Reader
	max   int
	pass  func([]byte) error // gets what belongs to no document; may be nil
}

func newLineCutter(r io.Reader, name string, options *Options) lineCutter {
	return lineCutter{name: name, lines: lines.NewReader(r, options.MaxLine), max: options.MaxLine}
}

// line stores the place of the next line and its bytes as they stand, and returns it without line
// end and byte order mark.
func (c *lineCutter) line(d *Document) ([]byte, error) {
	line, err := c.lines.Next()
	if err == lines.ErrTooLong {
		want := fmt.Sprintf("a line of at most %d bytes", c.max)
		return nil, syntaxError(c.name, c.lines.Number(), 1, want, line)
	}
	if err == io.EOF {
		return nil, io.EOF
	}
	if err != nil {
		return nil, fmt.Errorf("documents: %s: after line %d: %w", c.name, c.lines.Number(), err)
	}
	*d = Document{File: c.name, Line: c.lines.Number(), Record: c.lines.Raw()}
	if d.Line == 1 {
		line = bytes.TrimPrefix(line, byteOrderMark)
	}
	return bytes.TrimSuffix(line, []byte("\r")), nil
}

// column returns the column of a byte of a line that line has returned.
func (c *lineCutter) column(line []byte, at int) int {
	if c.lines.Number() == 1 && bytes.HasPrefix(c.lines.Raw(), byteOrderMark) {
		at += len(byteOrderMark)
	}
	return at + 1
}

func (c *lineCutter) passOver(bytes []byte) error {
	if c.pass == nil {
		return nil
	}
	return c.pass(bytes)
}

// plainLines has a document in each line.
type plainLines struct{ lineCutter }

func (c *plainLines) next(d *Document) error {
	text, err := c.line(d)
	if err != nil {
		return err
	}
	d.Text = text
	return checkUTF8(text, c.name, d.Line, c.column(text, 0))
}
