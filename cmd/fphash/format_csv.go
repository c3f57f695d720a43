package main

import (
	"encoding/csv"
	"io"
	"strconv"

	"simhashkit/dedup/fingerprints"
	"simhashkit/fphash"
)

// csvWriter writes comma-separated values, as RFC 4180 has them, with a line of names first. Each
// line has the definition, so that lines of different files cannot be mixed unnoticed.
type csvWriter struct {
	w    *csv.Writer
	bits int
	line []string
	hex  []byte
}

func newCSVWriter(w io.Writer, s hasher, masked bool) (*csvWriter, error) {
	columns := fingerprints.CSVColumns
	if !masked {
		columns = columns[:len(columns)-1]
	}
	c := &csvWriter{w: csv.NewWriter(w), bits: s.Bits(), line: make([]string, len(columns))}
	c.line[3] = s.String()
	return c, c.w.Write(columns)
}

func (c *csvWriter) write(r record) error {
	c.hex = fphash.AppendHex(c.hex[:0], r.fingerprint, c.bits)
	c.line[0], c.line[1], c.line[2] = string(r.id), string(c.hex), strconv.FormatBool(r.informative)
	if r.mask != nil {
		c.hex = fphash.AppendHex(c.hex[:0], r.mask, c.bits)
		c.line[4] = string(c.hex)
	}
	if err := c.w.Write(c.line); err != nil {
		return err
	}
	return c.end() // line by line: what w gathers has no half line
}

func (c *csvWriter) end() error {
	c.w.Flush()
	return c.w.Error()
}
