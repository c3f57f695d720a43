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

// NewWriter returns a writer of a format onto w. Package parquet writes Parquet.
func NewWriter(w io.Writer, format Format, definition fphash.Definition) (Writer, error) {
	switch format {
	case Text:
		return &textWriter{w: w, bits: definition.Bits}, nil
	case JSONL:
		return newJSONWriter(w, definition), nil
	case CSV:
		return newCSVWriter(w, definition)
	case Binary:
		return newBinaryWriter(w, definition)
	}
	return nil, fmt.Errorf("fingerprints: unknown format %q", format)
}
