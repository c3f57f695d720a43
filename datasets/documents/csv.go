package documents

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"simhashkit/internal/docformat"
	"simhashkit/internal/syntax"
)

// columns reads delimiter-separated records. A record is one line, or several lines if it has a
// quoted line break.
type columns struct {
	name     string
	charset  *charset
	csv      *csv.Reader
	tap      *tap
	pass     passing
	text, id int       // column numbers, from 0; -1 for no column
	extra    int       // column number of the value, or -1
	fields   [3][]byte // text, id and value
}

// newColumns returns a reader of records. It reads the header unless columns are given as numbers.
func newColumns(r *bufio.Reader, name, format string, options *Options, pass func([]byte) error) (*columns, error) {
	longest := options.MaxLine
	if longest == defaultMaxLine {
		longest = defaultMaxQuoted
	}
	t, err := newTap(r, longest)
	if err != nil {
		return nil, fmt.Errorf("documents: %s: %w", name, err)
	}
	c := &columns{name: name, charset: options.charset, tap: t, pass: pass, id: -1, extra: -1}
	c.csv = csv.NewReader(bufio.NewReaderSize(t, tapped))
	c.csv.ReuseRecord = true
	if format == docformat.TSV {
		c.csv.Comma = '\t'
	}
	numbered, err := c.number(name, options)
	if numbered || err != nil {
		return c, err
	}
	return c, c.header(options)
}

// number sets the columns if the options give them as numbers, such as #1.
func (c *columns) number(name string, options *Options) (bool, error) {
	text, numberedText := docformat.ColumnNumber(options.text())
	id, numberedID := docformat.ColumnNumber(options.ID)
	value, numberedValue := docformat.ColumnNumber(options.Value)
	switch {
	case !numberedText && !numberedID:
		return false, nil
	case options.Value != "" && !numberedValue:
		return true, fmt.Errorf("documents: %s: expected the number of a column, as for the text, got %q", name, options.Value)
	case !numberedText || options.ID != "" && !numberedID:
		return true, fmt.Errorf("documents: %s: expected numbers or names for the columns of text and id, got %q and %q", name, options.text(), options.ID)
	}
	c.text, c.id, c.extra = text, id, value
	return true, nil
}

// header finds the columns by name. A file without lines has no documents.
func (c *columns) header(options *Options) error {
	names, err := c.csv.Read()
	if err == io.EOF {
		return nil
	}
	var bad RecordError
	if err != nil {
		if err = c.wrong(err); errors.As(err, &bad) {
			return bad.Err
		}
		return err
	}
	record, err := c.record()
	if err != nil {
		return err
	}
	for _, column := range []struct {
		at         *int
		name, flag string
	}{{&c.text, options.text(), "--text"}, {&c.id, options.ID, "--id"}, {&c.extra, options.Value, ""}} {
		if column.name == "" {
			continue
		}
		if *column.at, err = c.named(names, column.name, column.flag, record); err != nil {
			return err
		}
	}
	return c.pass.over(record)
}

// named returns the position of the only column with a name. The error suggests the flag for
// choosing another column, if there is such a flag.
func (c *columns) named(names []string, name, flag string, header []byte) (int, error) {
	at := slices.Index(names, name)
	if at >= 0 && !slices.Contains(names[at+1:], name) {
		return at, nil
	}
	line, _ := c.csv.FieldPos(0)
	bad := syntax.New(c.name, line, 1, fmt.Sprintf("a column %q in the header", name), bytes.TrimRight(header, "\r\n"))
	if len(names) == 1 { // another format or another separator
		bad.Like = syntax.LikeLine(bytes.TrimPrefix(header, docformat.ByteOrderMark))
	}
	switch {
	case at >= 0:
		bad.Want = fmt.Sprintf("one column %q in the header", name)
		return 0, bad
	case bad.Like != "": // the header does not hold column names
	case flag == "":
		bad.Want += ", which has " + listed(names)
	default:
		bad.Want += ", or " + flag + " with one of " + listed(names)
	}
	bad.Want += " (#1 is the first column of a file without a header)"
	return 0, bad
}

// listed formats column names for an error.
func listed(names []string) string {
	const most = 20
	var list []string
	for _, name := range names[:min(len(names), most)] {
		list = append(list, fmt.Sprintf("%.40s", name))
	}
	if more := len(names) - most; more > 0 {
		list = append(list, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(list, ", ")
}

func (c *columns) next(d *Document) error {
	values, err := c.csv.Read()
	if err == io.EOF {
		return c.end()
	}
	if err != nil {
		err = c.wrong(err)
	}
	record, passErr := c.record()
	if err != nil || passErr != nil {
		return errors.Join(err, passErr)
	}
	line, _ := c.csv.FieldPos(0)
	*d = Document{File: c.name, Line: line, Record: record}
	if c.extra >= 0 && c.extra < len(values) && values[c.extra] != "" {
		c.fields[2] = append(c.fields[2][:0], values[c.extra]...)
		d.Value = c.fields[2]
	}
	if d.Text, err = c.value(0, values, c.text, record, line); err != nil || c.id < 0 {
		return err
	}
	d.ID, err = c.value(1, values, c.id, record, line)
	return err
}

// value returns the value of a column in a record.
func (c *columns) value(field int, values []string, column int, record []byte, line int) ([]byte, error) {
	if column >= len(values) { // columns given by number
		return nil, syntaxError(c.name, line, 1, fmt.Sprintf("a column %d", column+1), bytes.TrimRight(record, "\r\n"))
	}
	c.fields[field] = append(c.fields[field][:0], values[column]...)
	line, at := c.csv.FieldPos(column)
	return c.fields[field], c.charset.checkText(c.fields[field], c.name, line, at)
}

// record returns the bytes of the last record read. It passes on the blank lines before the record.
func (c *columns) record() ([]byte, error) {
	record := c.tap.take(c.csv.InputOffset())
	at := 0
	for at < len(record) {
		rest := bytes.TrimPrefix(record[at:], []byte("\r"))
		if len(rest) == 0 || rest[0] != '\n' {
			break
		}
		at = len(record) - len(rest) + 1
	}
	return record[at:], c.pass.over(record[:at])
}

// end passes on the blank lines after the last record.
func (c *columns) end() error {
	if err := c.pass.over(c.tap.take(c.csv.InputOffset())); err != nil {
		return err
	}
	return io.EOF
}

// wrong converts an error of the parser. It returns a RecordError only if the next record can be
// found, so not if a record is too long or has an unclosed quote.
func (c *columns) wrong(err error) error {
	var parse *csv.ParseError
	if !errors.As(err, &parse) {
		if errors.Is(err, errRecordTooLong) {
			want := fmt.Sprintf("a record of at most %d bytes", c.tap.max)
			if quote, isOpen := openQuote(c.tap.rest(), c.tap.line, place{line: math.MaxInt}); isOpen {
				return syntax.New(c.name, quote.line, quote.column, want+": is this quote left open?", c.tap.rest()[quote.at:])
			}
			return syntax.New(c.name, c.tap.line, 1, want, c.tap.rest())
		}
		return fmt.Errorf("documents: %s: after line %d: %w", c.name, c.tap.line-1, err)
	}
	got := c.tap.upTo(c.csv.InputOffset())
	switch {
	case errors.Is(err, csv.ErrFieldCount):
		want := fmt.Sprintf("as many values as there are columns, %d", c.csv.FieldsPerRecord)
		return syntaxError(c.name, parse.StartLine, 1, want, bytes.TrimRight(got, "\r\n"))
	case errors.Is(err, csv.ErrBareQuote):
		return syntaxError(c.name, parse.Line, parse.Column, "quotes only around a whole field, and doubled within it", got)
	}
	quote, isOpen := openQuote(got, c.tap.line, place{line: parse.Line, column: parse.Column})
	if isOpen && c.tap.ended && len(got) == len(c.tap.rest()) && parse.Line > quote.line {
		want := fmt.Sprintf("a closing quote (unterminated quoted field, which takes in %d lines to the end of the file)", parse.Line-quote.line+1)
		return syntax.New(c.name, quote.line, quote.column, want, got[quote.at:])
	}
	want := fmt.Sprintf("a separator after the closing quote of the field that begins in line %d", quote.line)
	if parse.Line > parse.StartLine {
		want += fmt.Sprintf(" (lines %d to %d are one record)", parse.StartLine, parse.Line)
	}
	return syntaxError(c.name, parse.Line, parse.Column, want, got)
}

// place is a position in a file: an offset within the record, and a line and a column from 1.
type place struct{ at, line, column int }

// openQuote returns the last quote before a position that opens a value, and whether that value is
// still unclosed there. line is the first line of the record.
func openQuote(record []byte, line int, before place) (quote place, isOpen bool) {
	start := 0 // start of the line
	for i, b := range record {
		if line == before.line && i-start+1 >= before.column {
			break
		}
		switch b {
		case '"':
			if isOpen = !isOpen; isOpen && (i == 0 || record[i-1] != '"' || quote.line == 0) { // not doubled
				quote = place{i, line, i - start + 1}
			}
		case '\n':
			line, start = line+1, i+1
		}
	}
	return quote, isOpen
}

// tapped is the size of the buffer between a tap and the parser. It bounds how far the tap reads
// ahead of the current record.
const tapped = 64 << 10

// errRecordTooLong is returned by a tap if a record exceeds the limit.
var errRecordTooLong = errors.New("record too long")

// tap keeps the bytes that a parser has read, so that the bytes of a record are available once the
// parser has found its end.
type tap struct {
	r     io.Reader
	max   int          // maximum size of a record
	kept  bytes.Buffer // bytes read, but not taken
	base  int64        // parser offset of the first byte of kept
	line  int          // line of that byte, from 1
	ended bool         // the stream has ended
}

// newTap returns a tap. It hides a byte order mark from the parser, but not from take.
func newTap(r *bufio.Reader, max int) (*tap, error) {
	t := &tap{r: r, max: max, line: 1}
	if head, _ := r.Peek(len(docformat.ByteOrderMark)); bytes.Equal(head, docformat.ByteOrderMark) {
		t.kept.Write(docformat.ByteOrderMark)
		t.base = -int64(len(docformat.ByteOrderMark))
		if _, err := r.Discard(len(docformat.ByteOrderMark)); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func (t *tap) Read(p []byte) (int, error) {
	if t.kept.Len() > t.max+tapped {
		return 0, errRecordTooLong
	}
	n, err := t.r.Read(p)
	t.kept.Write(p[:n])
	t.ended = t.ended || err == io.EOF
	return n, err
}

// take returns the untaken bytes up to an offset. They are valid until the next Read.
func (t *tap) take(end int64) []byte {
	record := t.kept.Next(int(end - t.base))
	t.base = end
	t.line += bytes.Count(record, []byte("\n"))
	return record
}

// upTo returns the bytes that take would return, without taking them.
func (t *tap) upTo(end int64) []byte { return t.kept.Bytes()[:end-t.base] }

// rest returns all untaken bytes.
func (t *tap) rest() []byte { return t.kept.Bytes() }
