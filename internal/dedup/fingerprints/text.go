package fingerprints

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"simhashkit/fphash"
	"simhashkit/internal/docsketch"
	"simhashkit/internal/tabular"
)

// csvColumns are the columns of the CSV files of fphash sketch. fphash.ParseDefinition parses the
// definition. Other files need only id and fingerprint, in any order and with any other columns.
var csvColumns = []string{"id", "fingerprint", "informative", "definition"}

// isCSVHeader reports whether a line is a header with the columns of fingerprints.
func isCSVHeader(line []byte) bool {
	names, err := csv.NewReader(bytes.NewReader(line)).Read()
	return err == nil && slices.Contains(names, "id") && slices.Contains(names, "fingerprint")
}

// csvReader reads the records of a CSV file.
type csvReader struct {
	adder
	places [4]int // indices of csvColumns; -1 for a missing column
}

func readCSV(r io.Reader, options Options, a adder) error {
	limited := &recordLimit{r: r}
	source := csv.NewReader(limited)
	source.ReuseRecord = true
	c := csvReader{adder: a}
	for first := true; ; first = false {
		fields, err := source.Read()
		if err == io.EOF {
			return nil
		}
		line := 0
		if err == nil {
			line, _ = source.FieldPos(0)
			if first {
				err = c.header(fields)
			} else {
				err = c.record(fields)
			}
		}
		var malformed *csv.ParseError
		if errors.As(err, &malformed) {
			line, err = malformed.Line, fmt.Errorf("expected comma-separated values: %w", malformed.Err)
		}
		if err != nil && line == 0 {
			return fmt.Errorf("%s: %w", options.Name, err)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", options.Name, line, err)
		}
		limited.from = source.InputOffset()
		if err := options.Tell(a.records); err != nil {
			return err
		}
	}
}

func (c *csvReader) header(names []string) error {
	for i, name := range csvColumns {
		c.places[i] = slices.Index(names, name)
	}
	if c.places[0] < 0 || c.places[1] < 0 {
		return fmt.Errorf("expected the columns id and fingerprint, got %.200q", names)
	}
	return nil
}

func (c *csvReader) record(fields []string) error {
	field := func(column int) string {
		if c.places[column] < 0 {
			return ""
		}
		return fields[c.places[column]]
	}
	var informative *bool
	if text := field(2); text != "" {
		says, err := strconv.ParseBool(text)
		if err != nil {
			return fmt.Errorf("expected true or false for informative, got %.60q", text)
		}
		informative = &says
	}
	return c.addDefined([]byte(field(0)), []byte(field(1)), field(3), informative)
}

// recordLimit limits the size of a record: a quote that is never closed would include all following
// lines.
type recordLimit struct {
	r          io.Reader
	read, from int64 // bytes read, and offset of the current record
}

func (l *recordLimit) Read(p []byte) (int, error) {
	if l.read-l.from > mostLine {
		return 0, fmt.Errorf("expected a record of at most %d bytes", mostLine)
	}
	n, err := l.r.Read(p)
	l.read += int64(n)
	return n, err
}

// jsonLines reads the JSON lines of fphash sketch, and other JSON objects with an id and a
// fingerprint.
type jsonLines struct{ adder }

func (j *jsonLines) parse(line []byte) error {
	var record struct {
		ID          *json.RawMessage `json:"id"`
		Fingerprint *string          `json:"fingerprint"`
		Informative *bool            `json:"informative"`
		Definition  string           `json:"definition"`
	}
	if err := json.Unmarshal(line, &record); err != nil {
		return fmt.Errorf("expected a JSON object with an id and a fingerprint: %w", err)
	}
	if record.Fingerprint == nil || record.ID == nil {
		return errors.New(`expected a JSON object with "id" and "fingerprint"`)
	}
	return j.addDefined(idOf(*record.ID), []byte(*record.Fingerprint), record.Definition, record.Informative)
}

// idOf returns the text of a JSON string, and any other value unchanged.
func idOf(value json.RawMessage) []byte {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return []byte(text)
	}
	return value
}

// tableWriter writes csvColumns as JSON lines or CSV. Each record has the definition, so that
// readers detect a mix of records with different definitions.
type tableWriter struct {
	*tabular.Table
	definition fphash.Definition
}

func (t *tableWriter) Write(r docsketch.Record) error {
	// Each record is flushed, so that the output never ends within one.
	return t.Table.End(t.Row(string(r.ID), fphash.Fingerprint(r.Fingerprint).Hex(t.definition.Bits), r.Informative, t.definition.String()))
}

func (t *tableWriter) End() error { return t.Table.End(nil) }

// textLines reads lines that all have the form HEX<TAB>ID or all have the form HEX.
type textLines struct {
	adder
	bare bool // the lines have no ids
}

func (t *textLines) parse(line []byte) error {
	digits, id, ok := bytes.Cut(line, []byte("\t"))
	if t.records.Len() == 0 {
		t.bare = !ok
	}
	switch {
	case !ok && !t.bare:
		return fmt.Errorf("expected a fingerprint in hexadecimal, a tab and an id, got %.60q", line)
	case ok && t.bare:
		return fmt.Errorf("expected a fingerprint in hexadecimal and no id, as in the lines before, got %.60q", line)
	}
	return t.addDigits(id, digits, nil)
}

// textWriter writes the fingerprint in hexadecimal, a tab and the id. If a record has Keys, the
// number of features and the keys follow, with a tab before each and commas between keys.
type textWriter struct {
	w    io.Writer
	bits int
	line []byte
}

func (t *textWriter) Write(r docsketch.Record) error {
	t.line = append(fphash.Fingerprint(r.Fingerprint).AppendHex(t.line[:0], t.bits), '\t')
	for _, b := range r.ID {
		if b == '\t' || b == '\n' || b == '\r' {
			b = ' ' // a tab or line end in the id would break the format
		}
		t.line = append(t.line, b)
	}
	if r.Keys != nil {
		t.line = strconv.AppendInt(append(t.line, '\t'), int64(r.Features), 10)
		for i, key := range r.Keys {
			t.line = strconv.AppendUint(append(t.line, "\t,"[min(i, 1)]), key, 10)
		}
		if len(r.Keys) == 0 {
			t.line = append(t.line, '\t')
		}
	}
	t.line = append(t.line, '\n')
	_, err := t.w.Write(t.line)
	return err
}

func (t *textWriter) End() error { return nil }
