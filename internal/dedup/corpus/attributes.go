package corpus

import (
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"

	"simhashkit/fphash"
	"simhashkit/internal/tabular"
	"simhashkit/internal/wholefile"
)

// Attributes is a row in a file of attributes: a record and its group.
type Attributes struct {
	Record
	Cluster   int  // number of its group, from 1; 0 if it has no near-duplicates
	Canonical bool // whether the record is kept

	DuplicateOf []byte  // if it is dropped, the id of the record kept in its place
	OfNumber    bool    // whether DuplicateOf is a number
	Similarity  float32 // if it is dropped, its similarity to that record; 0 if that is not known
}

// Columns describes the columns of the attributes. All files of a run have the same columns, so
// that they can be read as one table.
type Columns struct {
	Bits       int  // width of the fingerprints
	Numbers    bool // whether WholeNumber accepts all ids
	OfNumbers  bool // whether each DuplicateOf is an id that WholeNumber accepts
	Similarity bool // whether there is a column for Similarity
}

// Format is a file format of attributes.
type Format struct {
	Name string // also the file name extension

	// New returns a Writer that writes to w. Its Close method flushes, but does not close w.
	New func(w io.Writer, columns Columns) Writer
}

// Writer writes a file of attributes, row by row.
type Writer interface {
	Write(Attributes) error
	Close() error
}

// members yields the records of the input with the given index, and their groups.
func (r *Result) members(ctx context.Context, input int) iter.Seq2[Attributes, error] {
	return func(yield func(Attributes, error) bool) {
		record := r.firsts[input]
		position, end := r.positionOf(record), record+r.counts[input]
		for stored, err := range r.run.read(ctx, r.run.Inputs[input], nil) {
			m := Attributes{Record: stored, Canonical: true}
			if err == nil && stored.Informative && position < len(r.cluster) && r.Records.Set.ID(position) == uint64(record) {
				m.Cluster = int(r.cluster[position])
				m.Canonical = !r.IsDropped(position)
				if !m.Canonical {
					m.DuplicateOf, m.OfNumber, _ = r.keptIDs.of(r.canonicalOf(position))
					m.Similarity, _ = r.SimilarityAt(position)
				}
				position++
			}
			record++
			if !yield(m, err) || err != nil {
				return
			}
		}
		err := r.unchanged(input)
		if err == nil && record != end {
			err = fmt.Errorf("%s: %d records, expected %d: another process writes here", r.run.stored(r.run.Inputs[input]), record-r.firsts[input], r.counts[input])
		}
		if err != nil {
			yield(Attributes{}, err)
		}
	}
}

// positionOf returns the number of records with fingerprints before the given record.
func (r *Result) positionOf(record int) int {
	if r.Records.Set.IDs == nil {
		return record
	}
	position, _ := slices.BinarySearch(r.Records.Set.IDs, uint64(record))
	return position
}

// WriteAttributes writes a file of attributes for each input: id, fingerprint, cluster_id (the
// number of the group, or null), is_canonical (true for kept records), duplicate_of (the id of the
// record kept in place of a dropped one) and, if candidates were verified, similarity (to that
// record), in the order of the input. Each file is written as a whole or not at all, and several
// files at a time. Call Complete after WriteAttributes and all other outputs.
func (r *Result) WriteAttributes(ctx context.Context) error {
	p := r.newCount(StageAttributes)
	notes, err := r.run.notesToAdd()
	if err != nil {
		return err
	}
	if err := r.begin(notes); err != nil {
		return err
	}
	err = r.eachInput(ctx, func(i int) error {
		in := r.run.Inputs[i]
		path := r.run.Attributes(in)
		if err := makeFolderOf(path); err != nil {
			return err
		}
		write := func(w io.Writer) error { return r.writeAttributes(ctx, w, i, p) }
		ready := func(temp string) error { return notes.place(in, false, path, temp) }
		if err := wholefile.WriteReady(path, write, ready); err != nil {
			return err
		}
		p.add(0, r.heads[i].Bytes)
		return nil
	})
	if err != nil {
		return err
	}
	switch others := notes.others(r.run.Folder, false); len(others) {
	case 0:
	case 1:
		r.run.notice("%s is from an earlier run, and its input is not part of this run; it can be pruned", others[0])
	default:
		r.run.notice("%d files are from earlier runs whose inputs are not part of this run, such as %s; they can be pruned", len(others), others[0])
	}
	return nil
}

func (r *Result) writeAttributes(ctx context.Context, w io.Writer, input int, p *count) error {
	t := r.run.format().New(w, r.columns())
	n := 0
	for m, err := range r.members(ctx, input) {
		if err != nil {
			return err
		}
		if n++; n%4096 == 0 {
			p.add(4096, 0)
		}
		if r.run.Duplicates && m.Cluster == 0 && m.Canonical {
			continue
		}
		if err := t.Write(m); err != nil {
			return err
		}
	}
	p.add(n%4096, 0)
	return t.Close()
}

func (r *Result) columns() Columns {
	named := r.run.Numbered && len(r.run.Inputs) > 1
	return Columns{Bits: r.run.Source.Bits(), Numbers: r.numbers, OfNumbers: r.numbers && !named && r.run.Against == nil, Similarity: r.Verify != nil}
}

// Formats that need no library. Package parquet has Parquet.
var (
	JSONLines = Format{tabular.JSONLines, newTable(tabular.JSONLines)}
	CSV       = Format{tabular.CSV, newTable(tabular.CSV)}
)

// idValue returns the id as a value for package tabular.
func idValue(id []byte, number bool) any {
	if number {
		return tabular.Raw(id)
	}
	return string(id)
}

// WholeNumber returns the id as a signed 64-bit number, if it is one.
func WholeNumber(r Record) (int64, bool) {
	if !r.Number {
		return 0, false
	}
	n, err := strconv.ParseInt(string(r.ID), 10, 64)
	return n, err == nil
}

// table writes attributes in a text format.
type table struct {
	*tabular.Table
	columns Columns
	digits  []byte
}

func newTable(format string) func(io.Writer, Columns) Writer {
	return func(w io.Writer, columns Columns) Writer {
		names := []string{"id", "fingerprint", "cluster_id", "is_canonical", "duplicate_of"}
		if columns.Similarity {
			names = append(names, "similarity")
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
	var of, similarity any
	if !a.Canonical {
		of = idValue(a.DuplicateOf, a.OfNumber)
	}
	if a.Similarity > 0 {
		similarity = float64(a.Similarity)
	}
	row := []any{idValue(a.ID, a.Number), fingerprint, cluster, a.Canonical, of}
	if t.columns.Similarity {
		row = append(row, similarity)
	}
	return t.Row(row...)
}

func (t *table) Close() error { return t.End(nil) }
