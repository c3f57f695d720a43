// Package parquet reads and writes fingerprints in Parquet files. It is apart from package
// fingerprints since its library is large.
//
// The columns are
//
//	id               string
//	fingerprint      string, in hexadecimal, the most significant digit first
//	fingerprint_u64  uint64, only for fingerprints of up to 64 bits
//	informative      bool: false where all sums were zero, and the fingerprint says nothing
//
// and the metadata of the file has the definition of the fingerprints under DefinitionKey.
package parquet

import (
	"io"
	"strings"

	"github.com/parquet-go/parquet-go"

	"simhashkit/datasets/columnar"
	"simhashkit/dedup/fingerprints"
	"simhashkit/fphash"
)

// Magic begins and ends every Parquet file.
const Magic = "PAR1"

// DefinitionKey is the name of the definition in the metadata of a file; its value is what
// fphash.ParseDefinition reads.
const DefinitionKey = "fphash.definition"

// Writer writes fingerprints of one definition.
type Writer struct {
	bits int
	w    *columnar.Writer
}

// NewWriter returns a writer onto w. End must be called at the end.
func NewWriter(w io.Writer, definition string, bits int) *Writer {
	columns := []columnar.Column{{Name: "id", Type: parquet.String()}, {Name: "fingerprint", Type: parquet.String()}}
	if bits <= 64 {
		columns = append(columns, columnar.Column{Name: "fingerprint_u64", Type: parquet.Uint(64)})
	}
	columns = append(columns, columnar.Column{Name: "informative", Type: parquet.Leaf(parquet.BooleanType)})
	return &Writer{bits, columnar.NewWriter(w, columns, parquet.KeyValueMetadata(DefinitionKey, definition))}
}

// Write writes a record. Bytes of the id that are no UTF-8 become U+FFFD, since the column's type
// allows no others.
func (w *Writer) Write(r fingerprints.Record) error {
	w.w.Add(strings.ToValidUTF8(string(r.ID), "\uFFFD"))
	w.w.Add(fphash.Fingerprint(r.Fingerprint).Hex(w.bits))
	if w.bits <= 64 {
		w.w.Add(r.Fingerprint[0])
	}
	w.w.Add(r.Informative)
	return w.w.EndRow()
}

// End writes the rest of the file.
func (w *Writer) End() error { return w.w.Close() }
