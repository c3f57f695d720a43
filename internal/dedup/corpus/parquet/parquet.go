// Package parquet writes the attributes of a deduplication run to Parquet files. It is separate
// from package corpus because it needs a large library.
//
// The columns are
//
//	id            int64 if all ids of the run are whole numbers, else string
//	fingerprint   string, in hexadecimal; null if the text has no features
//	cluster_id    int64, null if the record has no near-duplicates
//	is_canonical  bool
//	duplicate_of  the id of the record kept in place of a dropped one, null for kept records; int64 if
//	              the ids are, except in runs against old documents, and where it names the input
//	similarity    float, to that record; null for kept records; only if candidates were verified
package parquet

import (
	"fmt"
	"io"
	"strings"

	"github.com/parquet-go/parquet-go"

	"simhashkit/datasets/columnar"
	"simhashkit/fphash"
	"simhashkit/internal/dedup/corpus"
)

// Format writes Parquet files.
var Format = corpus.Format{Name: "parquet", New: newWriter}

type writer struct {
	w       *columnar.Writer
	columns corpus.Columns
}

func newWriter(w io.Writer, columns corpus.Columns) corpus.Writer {
	id := parquet.String()
	if columns.Numbers {
		id = parquet.Int(64)
	}
	list := []columnar.Column{
		{Name: "id", Type: id},
		{Name: "fingerprint", Type: parquet.Optional(parquet.String())},
		{Name: "cluster_id", Type: parquet.Optional(parquet.Int(64))},
		{Name: "is_canonical", Type: parquet.Leaf(parquet.BooleanType)},
	}
	of := parquet.String()
	if columns.OfNumbers {
		of = parquet.Int(64)
	}
	list = append(list, columnar.Column{Name: "duplicate_of", Type: parquet.Optional(of)})
	if columns.Similarity {
		list = append(list, columnar.Column{Name: "similarity", Type: parquet.Optional(parquet.Leaf(parquet.FloatType))})
	}
	return &writer{columnar.NewWriter(w, list), columns}
}

func (w *writer) Write(a corpus.Attributes) error {
	if w.columns.Numbers {
		number, ok := corpus.WholeNumber(a.Record)
		if !ok {
			return fmt.Errorf("parquet: expected an id that is a whole number, got %q", a.ID)
		}
		w.w.Add(number)
	} else {
		w.w.Add(validText(string(a.ID)))
	}
	hex := ""
	if a.Informative {
		hex = fphash.Fingerprint(a.Fingerprint).Hex(w.columns.Bits)
	}
	w.w.AddOptional(hex, a.Informative)
	w.w.AddOptional(int64(a.Cluster), a.Cluster != 0)
	w.w.Add(a.Canonical)
	if w.columns.OfNumbers {
		of, _ := corpus.WholeNumber(corpus.Record{ID: a.DuplicateOf, Number: a.OfNumber})
		w.w.AddOptional(of, !a.Canonical)
	} else {
		w.w.AddOptional(validText(string(a.DuplicateOf)), !a.Canonical)
	}
	if w.columns.Similarity {
		w.w.AddOptional(a.Similarity, a.Similarity > 0)
	}
	return w.w.EndRow()
}

// validText replaces invalid UTF-8, which the column type does not allow.
func validText(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

func (w *writer) Close() error { return w.w.Close() }
