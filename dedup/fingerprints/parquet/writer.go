// Package parquet reads and writes fingerprints in Parquet files. It is apart from package
// fingerprints since its library is large.
//
// The columns are
//
//	id               string
//	fingerprint      string, in hexadecimal, the most significant digit first
//	fingerprint_u64  uint64, only for fingerprints of up to 64 bits
//	informative      bool: false where all sums were zero, and the fingerprint says nothing
//	mask             string, as fingerprint: the unsure bits; only where there are masks
//
// and the metadata of the file has the definition of the fingerprints under DefinitionKey.
package parquet

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/parquet-go/parquet-go"

	"simhashkit/dedup/fingerprints"
	"simhashkit/fphash"
)

// Magic begins and ends every Parquet file.
const Magic = "PAR1"

// DefinitionKey is the name of the definition in the metadata of a file; its value is what
// fphash.ParseDefinition reads.
const DefinitionKey = "fphash.definition"

// rowsOfGroup is how many rows are held in memory before they are written.
const rowsOfGroup = 1 << 16

// The columns of rows: of fingerprints of up to 64 bits and of wider ones, without masks and with
// them.
type (
	narrow struct {
		ID          string `parquet:"id"`
		Fingerprint string `parquet:"fingerprint"`
		Number      uint64 `parquet:"fingerprint_u64"`
		Informative bool   `parquet:"informative"`
	}
	wide struct {
		ID          string `parquet:"id"`
		Fingerprint string `parquet:"fingerprint"`
		Informative bool   `parquet:"informative"`
	}
	narrowMasked struct {
		narrow
		Mask string `parquet:"mask"`
	}
	wideMasked struct {
		wide
		Mask string `parquet:"mask"`
	}
)

// Writer writes fingerprints of one definition.
type Writer struct {
	bits   int
	masked bool
	w      *parquet.Writer
	rows   int
	hex    []byte
	row    parquet.Row
}

// NewWriter returns a writer onto w, of fingerprints with masks if masked. End must be called at
// the end.
func NewWriter(w io.Writer, definition string, bits int, masked bool) *Writer {
	var columns any
	switch {
	case bits <= 64 && masked:
		columns = narrowMasked{}
	case bits <= 64:
		columns = narrow{}
	case masked:
		columns = wideMasked{}
	default:
		columns = wide{}
	}
	return &Writer{
		bits: bits, masked: masked,
		w: parquet.NewWriter(w, parquet.SchemaOf(columns), parquet.Compression(&parquet.Zstd), parquet.KeyValueMetadata(DefinitionKey, definition)),
	}
}

// Write writes a record. Bytes of the id that are no UTF-8 become U+FFFD, since the column's type
// allows no others.
func (w *Writer) Write(r fingerprints.Record) error {
	if (r.Mask != nil) != w.masked {
		return errors.New("parquet: expected a mask for each fingerprint, or for none")
	}
	w.row = w.row[:0]
	w.add(parquet.ValueOf(strings.ToValidUTF8(string(r.ID), "\uFFFD")))
	w.addHex(r.Fingerprint)
	if w.bits <= 64 {
		w.add(parquet.ValueOf(r.Fingerprint[0]))
	}
	w.add(parquet.ValueOf(r.Informative))
	if w.masked {
		w.addHex(r.Mask)
	}
	_, err := w.w.WriteRows([]parquet.Row{w.row})
	if w.rows++; err == nil && w.rows%rowsOfGroup == 0 {
		err = w.w.Flush()
	}
	return inWords(err)
}

// add adds the value of the next column of the row.
func (w *Writer) add(value parquet.Value) {
	w.row = append(w.row, value.Level(0, 0, len(w.row)))
}

func (w *Writer) addHex(words []uint64) {
	w.hex = fphash.AppendHex(w.hex[:0], words, w.bits)
	w.add(parquet.ValueOf(string(w.hex)))
}

// End writes the rest of the file.
func (w *Writer) End() error { return inWords(w.w.Close()) }

func inWords(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("parquet: %w", err)
}
