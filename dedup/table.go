package dedup

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// The formats of lists.
const (
	Text      = "text"  // columns separated by tabs; tabs and line breaks in ids are spaces
	JSONLines = "jsonl" // an object a line
	CSV       = "csv"   // with a header
)

// Formats lists the formats of lists.
func Formats() []string { return []string{Text, JSONLines, CSV} }

// table writes rows of strings, numbers and truths under names.
type table struct {
	w       *bufio.Writer
	format  string
	columns []string
	csv     *csv.Writer
	cells   []string
	err     error // of the header
}

func newTable(w io.Writer, format string, columns []string) *table {
	t := &table{w: bufio.NewWriterSize(w, 64<<10), format: format, columns: columns, cells: make([]string, len(columns))}
	if format == CSV {
		t.csv = csv.NewWriter(t.w)
		t.err = t.csv.Write(columns)
	}
	return t
}

var oneLine = strings.NewReplacer("\t", " ", "\n", " ", "\r", " ")

func (t *table) row(values ...any) error {
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
			t.w.WriteByte('\t') // a failure is one of all writing that follows, too
		}
		t.w.WriteString(cell)
	}
	return t.w.WriteByte('\n')
}

// cell writes a value for text and CSV.
func (t *table) cell(value any) string {
	switch v := value.(type) {
	case string:
		if t.format == Text {
			return oneLine.Replace(v)
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

// object writes a row as JSON, in the order of the columns. Empty text is left out.
func (t *table) object(values []any) error {
	separator := "{"
	for i, value := range values {
		if value == "" {
			continue
		}
		var encoded bytes.Buffer
		encoder := json.NewEncoder(&encoded)
		encoder.SetEscapeHTML(false)
		if cosine, ok := value.(float64); ok {
			value = json.RawMessage(t.cell(cosine))
		}
		if err := encoder.Encode(value); err != nil {
			return err
		}
		fmt.Fprintf(t.w, "%s%q:%s", separator, t.columns[i], bytes.TrimSpace(encoded.Bytes()))
		separator = ","
	}
	_, err := t.w.WriteString("}\n")
	return err
}

// end ends the table, after the error if there is one.
func (t *table) end(err error) error {
	if t.csv != nil {
		t.csv.Flush()
		err = errors.Join(err, t.err, t.csv.Error())
	}
	if flushErr := t.w.Flush(); err == nil {
		err = flushErr
	}
	return err
}
