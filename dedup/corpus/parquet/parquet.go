// Package parquet writes the attributes of a deduplication run to Parquet files. It is apart from
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

	"simhashkit/datasets/columnar"
	"simhashkit/dedup/corpus"
	"simhashkit/fphash"
)

// Format is that of a run whose attributes are Parquet files.
var Format = corpus.Format{Name: "parquet", New: newWriter}

// named is a row with an id that is text.
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

type writer struct {
	w       *columnar.Writer
	bits    int
	numbers bool
}

func newWriter(w io.Writer, columns corpus.Columns) corpus.Writer {
	var row any = named{}
	if columns.Numbers {
		row = numbered{}
	}
	return &writer{columnar.NewWriter(w, row), columns.Bits, columns.Numbers}
}

func (w *writer) Write(a corpus.Attributes) error {
	if w.numbers {
		number, ok := corpus.WholeNumber(a.Record)
		if !ok {
			return fmt.Errorf("parquet: expected an id that is a whole number, got %q", a.ID)
		}
		w.w.Add(number)
	} else {
		w.w.Add(strings.ToValidUTF8(string(a.ID), "\uFFFD")) // the column's type allows no others
	}
	hex := ""
	if a.Informative {
		hex = fphash.Fingerprint(a.Fingerprint).Hex(w.bits)
	}
	w.w.AddOptional(hex, a.Informative)
	w.w.AddOptional(int64(a.Cluster), a.Cluster != 0)
	w.w.Add(a.Canonical)
	return w.w.EndRow()
}

func (w *writer) Close() error { return w.w.Close() }
