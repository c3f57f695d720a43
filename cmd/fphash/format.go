package main

import (
	"fmt"
	"io"

	"simhashkit/dedup/fingerprints"
	"simhashkit/fphash"
)

// record is one line of output: a fingerprint and whose it is.
type record struct {
	id          []byte
	fingerprint []uint64
	mask        []uint64 // of its unsure bits; nil if there are no masks
	informative bool
	features    int // of a text
}

// recordWriter writes records in one of the output formats.
type recordWriter interface {
	write(record) error
	// after the last record; without it the output is seen to be incomplete, in formats that can
	// show that
	end() error
}

// formats are the names of the output formats.
var formats = []string{"text", "jsonl", "csv", "parquet", "npy", "binary"}

// newRecordWriter returns the writer of that format, onto a buffered writer, for fingerprints of
// that definition; keyed says that a key of the user's own is part of it, unsure how many bits
// their masks mark.
func newRecordWriter(format string, w io.Writer, s hasher, keyed bool, unsure int) (recordWriter, error) {
	switch format {
	case "text", "npy":
		if unsure > 0 {
			return nil, fmt.Errorf("--format %s: expected jsonl, csv, parquet or binary with --unsure, since it has no place for masks", format)
		}
		if format == "npy" {
			return newNPYWriter(w, s)
		}
		return &textWriter{w: w, bits: s.Bits()}, nil
	case "jsonl":
		return newJSONWriter(w, s, keyed), nil
	case "csv":
		return newCSVWriter(w, s, unsure > 0)
	case "parquet":
		return newParquetWriter(w, s, unsure > 0), nil
	case "binary":
		b, err := fingerprints.NewBinaryWriter(w, s.Definition(), unsure)
		return binaryWriter{b}, err
	}
	return nil, expectOneOf("--format", format, formats)
}

// textWriter writes the fingerprint in hexadecimal, a tab and the id.
type textWriter struct {
	w    io.Writer
	bits int
	line []byte
}

func (t *textWriter) write(r record) error {
	t.line = fphash.AppendHex(t.line[:0], r.fingerprint, t.bits)
	t.line = append(t.line, '\t')
	for _, b := range r.id {
		if b == '\t' || b == '\n' || b == '\r' {
			b = ' ' // a line is one record, and its only tab separates two fields
		}
		t.line = append(t.line, b)
	}
	t.line = append(t.line, '\n')
	_, err := t.w.Write(t.line)
	return err
}

func (t *textWriter) end() error { return nil }
