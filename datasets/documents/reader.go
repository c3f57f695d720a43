package documents

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"simhashkit/internal/docformat"
	"simhashkit/internal/lines"
	"simhashkit/internal/syntax"
)

// cutter splits a source into documents.
type cutter interface {
	// next stores the next document. It returns a RecordError for an error of one record. After any
	// other error, including io.EOF, there is no next document.
	next(*Document) error
}

// RecordError is the error of a single record; the next record can still be read. OnError is called
// with the wrapped error; without OnError, Read returns it.
type RecordError struct{ Err error }

// Error returns the message of the wrapped error.
func (e RecordError) Error() string { return e.Err.Error() }

// Unwrap returns the wrapped error.
func (e RecordError) Unwrap() error { return e.Err }

// passing is called with the bytes of a file that belong to no document. It may be nil.
type passing func(bytes []byte) error

func (p passing) over(bytes []byte) error {
	if p == nil || len(bytes) == 0 {
		return nil
	}
	return p(bytes)
}

// reader reads the documents of a cutter.
type reader struct {
	ctx     context.Context
	cutter  cutter
	closer  io.Closer // may be nil
	onError func(error)
	ids     bool  // an id is requested
	number  int   // number of records so far
	err     error // returned by every further Read
}

func (r *reader) Read(d *Document) error {
	for r.err == nil {
		// The stream watches the context only when its buffer is empty.
		if r.ctx.Err() != nil {
			r.err = fmt.Errorf("documents: %w", context.Cause(r.ctx))
			break
		}
		err := r.cutter.next(d)
		r.number++
		if err == nil {
			if d.Number = r.number; r.ids && len(d.ID) == 0 {
				d.MakeUpID()
			}
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

// syntaxError returns the error of a malformed record.
func syntaxError(file string, line, column int, want string, got []byte) RecordError {
	return RecordError{syntax.New(file, line, column, want, got)}
}

// quoted is the number of bytes of a malformed text that an error shows.
const quoted = 16

// lineCutter splits a stream into lines, for formats with one record per line.
type lineCutter struct {
	charset *charset
	name    string
	lines   *lines.Reader
	max     int
	pass    passing
}

func newLineCutter(r io.Reader, name string, options *Options) lineCutter {
	return lineCutter{name: name, charset: options.charset, lines: lines.NewReader(r, options.MaxLine), max: options.MaxLine}
}

// line returns the next line without its line end and byte order mark, and stores its position and
// raw bytes in d.
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
		line = bytes.TrimPrefix(line, docformat.ByteOrderMark)
	}
	return bytes.TrimSuffix(line, []byte("\r")), nil
}

// column returns the column of line[at], for a line returned by the method line.
func (c *lineCutter) column(line []byte, at int) int {
	if c.lines.Number() == 1 && bytes.HasPrefix(c.lines.Raw(), docformat.ByteOrderMark) {
		at += len(docformat.ByteOrderMark)
	}
	return at + 1
}

// plainLines returns each line as a document.
type plainLines struct{ lineCutter }

func (c *plainLines) next(d *Document) error {
	text, err := c.line(d)
	if err != nil {
		return err
	}
	d.Text = text
	return c.charset.checkText(text, c.name, d.Line, c.column(text, 0))
}

// charset is an encoding of texts. A nil charset is UTF-8.
type charset struct {
	name     string
	encoding encoding.Encoding
	hasFFFD  bool // a valid text may contain U+FFFD
}

// charsetOf returns the charset of a name in the Encoding Standard, or nil for UTF-8 and "".
func charsetOf(name string) (*charset, error) {
	if name == "" {
		return nil, nil
	}
	e, err := htmlindex.Get(name)
	if err != nil || e == encoding.Replacement {
		return nil, fmt.Errorf("documents: unknown charset %q: want a name such as latin1, windows-1251, shift_jis, gbk, big5, utf-16", name)
	}
	c := &charset{encoding: e}
	if c.name, err = htmlindex.Name(e); err != nil {
		return nil, fmt.Errorf("documents: charset %q: %w", name, err)
	}
	if c.name == "utf-8" {
		return nil, nil
	}
	_, err = e.NewEncoder().String(string(utf8.RuneError))
	c.hasFFFD = err == nil
	return c, nil
}

// decoded returns a reader of the text in UTF-8, without a byte order mark. A byte that the charset
// does not define becomes U+FFFD.
func (c *charset) decoded(r io.Reader) io.Reader {
	if c == nil {
		return r
	}
	return transform.NewReader(r, unicode.BOMOverride(c.encoding.NewDecoder()))
}

// firstInvalid returns the position of the first byte of a decoded text that is not valid UTF-8, or
// that the charset did not define. It returns -1 if there is none.
func (c *charset) firstInvalid(text []byte) int {
	at := syntax.FirstInvalid(text)
	if at < 0 && c != nil && !c.hasFFFD {
		at = bytes.Index(text, []byte(string(utf8.RuneError)))
	}
	return at
}

// want describes a valid text in errors.
func (c *charset) want() string {
	if c == nil {
		return "UTF-8 text (--charset latin1 reads other encodings)"
	}
	return "text in " + c.name
}

// Decode converts the first bytes of a file from Charset to UTF-8.
func (o Options) Decode(start []byte) ([]byte, error) {
	c, err := charsetOf(o.Charset)
	if err != nil || c == nil {
		return start, err
	}
	return io.ReadAll(c.decoded(bytes.NewReader(start)))
}

// checkText returns an error if a decoded text is not valid UTF-8. line and column are the position
// of the text.
func (c *charset) checkText(text []byte, file string, line, column int) error {
	at := c.firstInvalid(text)
	if at < 0 {
		return nil
	}
	column += at
	if feed := bytes.LastIndexByte(text[:at], '\n'); feed >= 0 {
		line, column = line+bytes.Count(text[:at], []byte("\n")), at-feed
	}
	return syntaxError(file, line, column, c.want(), text[at:min(len(text), at+quoted)])
}
