package corpus

import (
	"io"
	"strconv"

	"simhashkit/fphash"
	"simhashkit/internal/tabular"
)

// Attributes is a row of the attributes: a record and its group.
type Attributes struct {
	Record
	Cluster   int  // the number of its group, from 1; 0: it has no near-duplicates
	Canonical bool // it is the one to keep, of its group or alone

	OfOld       bool // it is a duplicate of an old record, with this id
	DuplicateOf string
}

// Columns describes the columns of the attributes. It is the same for all files of a run, so that
// they can be read as one table.
type Columns struct {
	Bits    int  // of each fingerprint
	Numbers bool // every id is a number that WholeNumber takes
	Old     bool // there is a DuplicateOf
}

// Format is a file format of attributes.
type Format struct {
	Name string // and the ending of the files

	// New returns a writer of a file. Close flushes it, and does not close w.
	New func(w io.Writer, columns Columns) Writer
}

// Writer writes a file of attributes, row by row.
type Writer interface {
	Write(Attributes) error
	Close() error
}

// The formats that need no library. Parquet is in package parquet.
var (
	JSONLines = Format{tabular.JSONLines, newTable(tabular.JSONLines)}
	CSV       = Format{tabular.CSV, newTable(tabular.CSV)}
)

// WholeNumber returns the id as a signed 64-bit number, if it is one.
func WholeNumber(r Record) (int64, bool) {
	if !r.Number {
		return 0, false
	}
	n, err := strconv.ParseInt(string(r.ID), 10, 64)
	return n, err == nil
}

// table writes text.
type table struct {
	*tabular.Table
	columns Columns
	digits  []byte
}

func newTable(format string) func(io.Writer, Columns) Writer {
	return func(w io.Writer, columns Columns) Writer {
		names := []string{"id", "fingerprint", "cluster_id", "is_canonical"}
		if columns.Old {
			names = append(names, "duplicate_of")
		}
		return &table{Table: tabular.New(w, format, names), columns: columns}
	}
}

func (t *table) Write(a Attributes) error {
	var fingerprint, cluster any
	if a.Informative {
		t.digits = fphash.Fingerprint(a.Fingerprint).AppendHex(t.digits[:0], t.columns.Bits)
		fingerprint = string(t.digits)
	}
	if a.Cluster > 0 {
		cluster = a.Cluster
	}
	row := []any{idValue(a.ID, a.Number), fingerprint, cluster, a.Canonical}
	if t.columns.Old {
		var of any
		if a.OfOld {
			of = a.DuplicateOf
		}
		row = append(row, of)
	}
	return t.Row(row...)
}

func (t *table) Close() error { return t.End(nil) }
