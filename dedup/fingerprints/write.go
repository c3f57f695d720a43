package fingerprints

import (
	"fmt"
	"io"

	"simhashkit/fphash"
)

// Record is a fingerprint and what it is of.
type Record struct {
	ID          []byte
	Fingerprint []uint64
	Mask        []uint64 // of its unsure bits; nil if there are no masks
	Informative bool
	Features    int // of a text, repeats included; files do not have it
}

// Writer writes fingerprints of one definition. What it writes is not buffered. One that is an
// io.Closer holds a temporary file until it is closed.
type Writer interface {
	Write(Record) error

	// End writes what stands behind the last record. Without it readers see that the file is
	// incomplete, in formats that can show that.
	End() error
}

// NewWriter returns a writer of a format onto w. Unsure is the number of bits that the mask of each
// fingerprint marks; 0 is for fingerprints without masks. Package parquet writes Parquet.
func NewWriter(w io.Writer, format Format, definition fphash.Definition, unsure int) (Writer, error) {
	switch {
	case unsure > 0 && (format == Text || format == NPY):
		return nil, fmt.Errorf("--format %s: expected jsonl, csv, parquet or binary with --unsure, since it has no place for masks", format)
	case format == Text:
		return &textWriter{w: w, bits: definition.Bits}, nil
	case format == JSONL:
		return newJSONWriter(w, definition), nil
	case format == CSV:
		return newCSVWriter(w, definition, unsure > 0)
	case format == NPY:
		return newNPYWriter(w, definition.Bits)
	case format == Binary:
		return newBinaryWriter(w, definition, unsure)
	}
	return nil, fmt.Errorf("fingerprints: unknown format %q", format)
}
