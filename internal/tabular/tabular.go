// Package tabular writes rows of named columns as text, JSON lines or CSV, for other programs.
package tabular

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"
)

// The formats.
const (
	Text      = "text"  // columns separated by tabs; control characters in ids are escaped
	JSONLines = "jsonl" // one object per line
	CSV       = "csv"   // with a header; ids stay as they are, even if they look like formulas
)

// Formats lists the formats.
func Formats() []string { return []string{Text, JSONLines, CSV} }

// Table writes rows of strings, numbers and booleans in named columns. nil means a missing value.
type Table struct {
	w       *bufio.Writer
	format  string
	columns []string
	csv     *csv.Writer
	cells   []string
	line    []byte
	err     error // error of writing the header
}

// New returns a table of one of the formats.
func New(w io.Writer, format string, columns []string) *Table {
	t := &Table{w: bufio.NewWriterSize(w, 64<<10), format: format, columns: columns, cells: make([]string, len(columns))}
	if format == CSV {
		t.csv = csv.NewWriter(t.w)
		t.err = t.csv.Write(columns)
	}
	return t
}

// Raw is text that is not quoted in JSON, such as a number of any size.
type Raw string

// Row writes a row, with a value for each column: a string, an int, a float64 (written with six
// decimals), a bool, a Raw or nil.
func (t *Table) Row(values ...any) error {
	if t.format == JSONLines {
		return t.object(values)
	}
	for i, value := range values {
		t.cells[i] = t.cell(value)
	}
	if t.format == CSV {
		return t.csv.Write(t.cells)
	}
	for i, cell := range t.cells {
		if i > 0 {
			t.w.WriteByte('\t') // later writes return the error again
		}
		t.w.WriteString(cell)
	}
	return t.w.WriteByte('\n')
}

// OneLine escapes tabs, line breaks and other control characters as in Go, since they could break a
// line or control a terminal. Replacing them by spaces could make different ids equal.
func OneLine(text string) string {
	if !strings.ContainsFunc(text, unicode.IsControl) {
		return text
	}
	var s strings.Builder
	for _, r := range text {
		if unicode.IsControl(r) {
			s.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		} else {
			s.WriteRune(r)
		}
	}
	return s.String()
}

// cell formats a value for text and CSV.
func (t *Table) cell(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case Raw:
		return t.cell(string(v))
	case string:
		if t.format == Text {
			return OneLine(v)
		}
		return v
	case int:
		return strconv.Itoa(v)
	case float64:
		return strconv.FormatFloat(v, 'f', 6, 64)
	case bool:
		switch {
		case t.format != Text:
			return strconv.FormatBool(v)
		case v:
			return "yes"
		}
		return "no"
	}
	panic(fmt.Sprintf("a cell of type %T", value))
}

// object writes a row as JSON, in column order.
func (t *Table) object(values []any) error {
	line := t.line[:0]
	for i, value := range values {
		separator := byte(',')
		if i == 0 {
			separator = '{'
		}
		line = append(line, separator, '"')
		line = append(append(line, t.columns[i]...), '"', ':')
		switch v := value.(type) {
		case nil:
			line = append(line, "null"...)
		case string:
			line, _ = jsontext.AppendQuote(line, v) // invalid UTF-8 becomes U+FFFD
		default:
			line = append(line, t.cell(v)...)
		}
	}
	t.line = append(line, '}', '\n')
	_, err := t.w.Write(t.line)
	return err
}

// End flushes the table. It returns err, or any error of writing.
func (t *Table) End(err error) error {
	if t.csv != nil {
		t.csv.Flush()
		err = errors.Join(err, t.err, t.csv.Error())
	}
	return cmp.Or(err, t.w.Flush())
}
