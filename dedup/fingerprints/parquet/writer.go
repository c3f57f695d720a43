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
	"fmt"
	"io"
	"strings"

	"github.com/parquet-go/parquet-go"

	"simhashkit/fphash"
)

// Magic begins and ends every Parquet file.
const Magic = "PAR1"

// DefinitionKey is the name of the definition in the metadata of a file; its value is what
// fphash.ParseDefinition reads.
const DefinitionKey = "fphash.definition"

// rowsOfGroup is how many rows are held in memory before they are written.
const rowsOfGroup = 1 << 16

// narrow is a row of fingerprints of up to 64 bits.
type narrow struct {
	ID          string `parquet:"id"`
	Fingerprint string `parquet:"fingerprint"`
	Number      uint64 `parquet:"fingerprint_u64"`
	Informative bool   `parquet:"informative"`
}

// wide is a row of wider ones.
type wide struct {
	ID          string `parquet:"id"`
	Fingerprint string `parquet:"fingerprint"`
	Informative bool   `parquet:"informative"`
}

// Writer writes fingerprints of one definition.
type Writer struct {
	bits    int
	narrow  *parquet.GenericWriter[narrow] // one of the two
	wide    *parquet.GenericWriter[wide]
	rows    int
	hex     []byte
	one     [1]narrow
	oneWide [1]wide
}

// NewWriter returns a writer onto w. Close must be called at the end.
func NewWriter(w io.Writer, definition string, bits int) *Writer {
	options := []parquet.WriterOption{parquet.Compression(&parquet.Zstd), parquet.KeyValueMetadata(DefinitionKey, definition)}
	if bits <= 64 {
		return &Writer{bits: bits, narrow: parquet.NewGenericWriter[narrow](w, options...)}
	}
	return &Writer{bits: bits, wide: parquet.NewGenericWriter[wide](w, options...)}
}

// Write writes a fingerprint. Bytes of the id that are no UTF-8 become U+FFFD, since the column's
// type allows no others.
func (w *Writer) Write(id []byte, fingerprint []uint64, informative bool) (err error) {
	w.hex = fphash.AppendHex(w.hex[:0], fingerprint, w.bits)
	name, digits := strings.ToValidUTF8(string(id), "\uFFFD"), string(w.hex)
	if w.narrow != nil {
		w.one[0] = narrow{name, digits, fingerprint[0], informative}
		_, err = w.narrow.Write(w.one[:])
	} else {
		w.oneWide[0] = wide{name, digits, informative}
		_, err = w.wide.Write(w.oneWide[:])
	}
	if w.rows++; err == nil && w.rows%rowsOfGroup == 0 {
		err = w.flush()
	}
	return inWords(err)
}

func (w *Writer) flush() error {
	if w.narrow != nil {
		return w.narrow.Flush()
	}
	return w.wide.Flush()
}

// Close writes the rest of the file, and does not close what it was written to.
func (w *Writer) Close() error {
	if w.narrow != nil {
		return inWords(w.narrow.Close())
	}
	return inWords(w.wide.Close())
}

func inWords(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("parquet: %w", err)
}
