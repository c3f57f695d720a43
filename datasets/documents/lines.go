package documents

import (
	"bytes"
	"fmt"
	"io"

	"simhashkit/internal/lines"
)

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
