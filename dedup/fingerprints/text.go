package fingerprints

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"simhashkit/dedup"
	"simhashkit/fphash"
)

// csvColumns are the columns of a CSV file that fphash sketch writes: what its JSON lines have, the
// definition in the words of fphash.ParseDefinition. Of other files id and fingerprint are enough,
// in any order and with others between them.
var csvColumns = []string{"id", "fingerprint", "informative", "definition"}

// isCSVHeader says whether a line has the columns of fingerprints.
func isCSVHeader(line []byte) bool {
	names, err := csv.NewReader(bytes.NewReader(line)).Read()
	return err == nil && slices.Contains(names, "id") && slices.Contains(names, "fingerprint")
}

// csvReader reads the records of a CSV file.
type csvReader struct {
	records    *dedup.Records
	bits       int
	places     [4]int // of csvColumns; -1 for one that is not there
	definition string // of the first record
}

func readCSV(r io.Reader, options Options, records *dedup.Records) error {
	limited := &recordLimit{r: r}
	source := csv.NewReader(limited)
	source.ReuseRecord = true
	c := csvReader{records: records, bits: options.Bits}
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
				err = c.add(fields)
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
		if err := options.Tell(records); err != nil {
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

func (c *csvReader) add(fields []string) error {
	field := func(column int) string {
		if c.places[column] < 0 {
			return ""
		}
		return fields[c.places[column]]
	}
	digits := field(1)
	if err := c.define(field(3)); err != nil {
		return err
	}
	if c.bits == 0 {
		c.bits = 4 * len(digits)
	}
	c.records.Set.Bits = c.bits
	fingerprint, err := ParseDigits([]byte(digits), c.bits)
	if err != nil {
		return err
	}
	says := Informative(fingerprint, c.bits)
	if text := field(2); text != "" {
		if says, err = strconv.ParseBool(text); err != nil {
			return fmt.Errorf("expected true or false for informative, got %.60q", text)
		}
	}
	c.records.Add([]byte(field(0)), fingerprint, says)
	return nil
}

// define takes the definition of the first record, which all must have.
func (c *csvReader) define(text string) error {
	if c.records.Len() > 0 && text != c.definition {
		return fmt.Errorf("the fingerprint is %.200q; expected %.200q, as on the lines before", text, c.definition)
	}
	if c.records.Len() > 0 || text == "" {
		return nil
	}
	definition, err := fphash.ParseDefinition(text)
	if err != nil {
		return err
	}
	c.definition, c.bits = text, definition.Bits
	c.records.Set.Definition = text
	return nil
}

// recordLimit bounds the memory of a record: a quote that is never closed takes all lines behind.
type recordLimit struct {
	r          io.Reader
	read, from int64 // bytes read, and where the record begins
}

func (l *recordLimit) Read(p []byte) (int, error) {
	if l.read-l.from > mostLine {
		return 0, fmt.Errorf("expected a record of at most %d bytes", mostLine)
	}
	n, err := l.r.Read(p)
	l.read += int64(n)
	return n, err
}

// csvWriter writes comma-separated values, as RFC 4180 has them, with a line of names first. Each
// line has the definition, so that lines of different files cannot be mixed unnoticed.
type csvWriter struct {
	w    *csv.Writer
	bits int
	line []string
}

func newCSVWriter(w io.Writer, definition fphash.Definition) (*csvWriter, error) {
	c := &csvWriter{w: csv.NewWriter(w), bits: definition.Bits, line: make([]string, len(csvColumns))}
	c.line[3] = definition.String()
	return c, c.w.Write(csvColumns)
}

func (c *csvWriter) Write(r Record) error {
	c.line[0], c.line[1], c.line[2] = string(r.ID), fphash.Fingerprint(r.Fingerprint).Hex(c.bits), strconv.FormatBool(r.Informative)
	if err := c.w.Write(c.line); err != nil {
		return err
	}
	return c.End() // line by line: what w gathers has no half line
}

func (c *csvWriter) End() error {
	c.w.Flush()
	return c.w.Error()
}

// textLines reads HEX<TAB>ID, or HEX in every line.
type textLines struct {
	records *dedup.Records
	bits    int
	bare    bool // no line has an id
}

func (t *textLines) parse(line []byte) error {
	digits, id, ok := bytes.Cut(line, []byte("\t"))
	if t.records.Len() == 0 {
		t.bare = !ok
	}
	switch {
	case !ok && !t.bare:
		return fmt.Errorf("expected a fingerprint in hexadecimal, a tab and an id, not %.60q", line)
	case ok && t.bare:
		return fmt.Errorf("expected a fingerprint in hexadecimal and no id, as in the lines before, not %.60q", line)
	}
	if t.bits == 0 {
		t.bits = 4 * len(digits)
	}
	t.records.Set.Bits = t.bits
	fingerprint, err := ParseDigits(digits, t.bits)
	if err != nil {
		return err
	}
	t.records.Add(id, fingerprint, Informative(fingerprint, t.bits))
	return nil
}

// textWriter writes the fingerprint in hexadecimal, a tab and the id.
type textWriter struct {
	w    io.Writer
	bits int
	line []byte
}

func (t *textWriter) Write(r Record) error {
	t.line = append(fphash.Fingerprint(r.Fingerprint).AppendHex(t.line[:0], t.bits), '\t')
	for _, b := range r.ID {
		if b == '\t' || b == '\n' || b == '\r' {
			b = ' ' // a line is one record, and its only tab separates two fields
		}
		t.line = append(t.line, b)
	}
	t.line = append(t.line, '\n')
	_, err := t.w.Write(t.line)
	return err
}

func (t *textWriter) End() error { return nil }

// ParseDigits reads a fingerprint of so many bits in hexadecimal.
func ParseDigits(digits []byte, bits int) ([]uint64, error) {
	if bits < 1 || bits > fphash.MaxBits {
		return nil, fmt.Errorf("fingerprint of %d bits, expected 1 to %d", bits, fphash.MaxBits)
	}
	fingerprint, err := fphash.ParseHex(string(digits), bits)
	if err != nil {
		return nil, fmt.Errorf("fingerprint %.80q: expected %d hexadecimal digits: all have %d bits", digits, (bits+3)/4, bits)
	}
	return fingerprint, nil
}
