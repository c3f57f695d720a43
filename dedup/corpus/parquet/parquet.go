// Package parquet writes the attributes of a deduplication run in Parquet files. It is apart from
// package corpus since its library is large.
//
// The columns are
//
//	id            int64 if all ids of the run are whole numbers, else string
//	fingerprint   string, in hexadecimal; null where a text has no features
//	cluster_id    int64, null where a record has no near-duplicates
//	is_canonical  bool
package parquet

import (
	"fmt"
	"io"
	"strings"

	"github.com/parquet-go/parquet-go"

	"simhashkit/dedup/corpus"
	"simhashkit/fphash"
)

// Format is that of a run whose attributes are Parquet files.
var Format = corpus.Format{Name: "parquet", New: newWriter}

// rowsOfGroup is how many rows are held in memory before they are written.
const rowsOfGroup = 1 << 16

// named is a row with an id that is text. Of optional columns, zero values are null.
type named struct {
	ID string `parquet:"id"`
	rest
}

// numbered is a row with an id that is a number.
type numbered struct {
	ID int64 `parquet:"id"`
	rest
}

type rest struct {
	Fingerprint string `parquet:"fingerprint,optional"`
	Cluster     int64  `parquet:"cluster_id,optional"`
	Canonical   bool   `parquet:"is_canonical"`
}

func newWriter(w io.Writer, columns corpus.Columns) corpus.Writer {
	if columns.Numbers {
		return newRows(w, columns.Bits, func(r corpus.Record, rest rest) (numbered, error) {
			number, ok := corpus.WholeNumber(r)
			if !ok {
				return numbered{}, fmt.Errorf("expected an id that is a whole number, got %q", r.ID)
			}
			return numbered{number, rest}, nil
		})
	}
	return newRows(w, columns.Bits, func(r corpus.Record, rest rest) (named, error) {
		return named{strings.ToValidUTF8(string(r.ID), "\uFFFD"), rest}, nil // the column's type allows no others
	})
}

// rows writes rows of one of the types.
type rows[R named | numbered] struct {
	w      *parquet.GenericWriter[R]
	row    func(corpus.Record, rest) (R, error)
	bits   int
	digits []byte
	one    [1]R
	count  int
}

func newRows[R named | numbered](w io.Writer, bits int, row func(corpus.Record, rest) (R, error)) *rows[R] {
	return &rows[R]{w: parquet.NewGenericWriter[R](w, parquet.Compression(&parquet.Zstd)), row: row, bits: bits}
}

func (r *rows[R]) Write(a corpus.Attributes) (err error) {
	rest := rest{Cluster: int64(a.Cluster), Canonical: a.Canonical}
	if a.Informative {
		r.digits = fphash.AppendHex(r.digits[:0], a.Fingerprint, r.bits)
		rest.Fingerprint = string(r.digits)
	}
	if r.one[0], err = r.row(a.Record, rest); err == nil {
		_, err = r.w.Write(r.one[:])
	}
	if r.count++; err == nil && r.count%rowsOfGroup == 0 {
		err = r.w.Flush()
	}
	return inWords(err)
}

func (r *rows[R]) Close() error { return inWords(r.w.Close()) }

func inWords(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("parquet: %w", err)
}
