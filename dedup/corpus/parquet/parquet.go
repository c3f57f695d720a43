// Package parquet writes the attributes of a deduplication run in Parquet files. It is apart from
// package corpus since its library is large.
//
// The columns are
//
//	id            int64 if all ids of the run are whole numbers, else string
//	fingerprint   string, in hexadecimal; null where a text has no features
//	cluster_id    int64, null where a record has no near-duplicates
//	is_canonical  bool
//	duplicate_of  string, of a run against old documents; null for those that are kept
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

// namedOld and numberedOld have the column of a run against old documents, too.
type (
	namedOld struct {
		named
		Of string `parquet:"duplicate_of,optional"`
	}
	numberedOld struct {
		numbered
		Of string `parquet:"duplicate_of,optional"`
	}
)

func newWriter(w io.Writer, columns corpus.Columns) corpus.Writer {
	switch {
	case columns.Numbers && columns.Old:
		return newRows(w, columns.Bits, func(a corpus.Attributes, rest rest) (numberedOld, error) {
			row, err := numberedRow(a, rest)
			return numberedOld{row, validText(a.DuplicateOf)}, err
		})
	case columns.Numbers:
		return newRows(w, columns.Bits, numberedRow)
	case columns.Old:
		return newRows(w, columns.Bits, func(a corpus.Attributes, rest rest) (namedOld, error) {
			return namedOld{named{validText(string(a.ID)), rest}, validText(a.DuplicateOf)}, nil
		})
	}
	return newRows(w, columns.Bits, func(a corpus.Attributes, rest rest) (named, error) {
		return named{validText(string(a.ID)), rest}, nil
	})
}

func numberedRow(a corpus.Attributes, rest rest) (numbered, error) {
	number, ok := corpus.WholeNumber(a.Record)
	if !ok {
		return numbered{}, fmt.Errorf("expected an id that is a whole number, got %q", a.ID)
	}
	return numbered{number, rest}, nil
}

// validText returns a text that the type of a column allows.
func validText(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

// rows writes rows of one of the types.
type rows[R named | numbered | namedOld | numberedOld] struct {
	w      *parquet.GenericWriter[R]
	row    func(corpus.Attributes, rest) (R, error)
	bits   int
	digits []byte
	one    [1]R
	count  int
}

func newRows[R named | numbered | namedOld | numberedOld](w io.Writer, bits int, row func(corpus.Attributes, rest) (R, error)) *rows[R] {
	return &rows[R]{w: parquet.NewGenericWriter[R](w, parquet.Compression(&parquet.Zstd)), row: row, bits: bits}
}

func (r *rows[R]) Write(a corpus.Attributes) (err error) {
	rest := rest{Cluster: int64(a.Cluster), Canonical: a.Canonical}
	if a.Informative {
		r.digits = fphash.AppendHex(r.digits[:0], a.Fingerprint, r.bits)
		rest.Fingerprint = string(r.digits)
	}
	if r.one[0], err = r.row(a, rest); err == nil {
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
