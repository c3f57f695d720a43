package corpus

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"

	"simhashkit/fphash"
	"simhashkit/internal/columnar"
	"simhashkit/internal/tabular"
	"simhashkit/internal/wholefile"
)

// Parquet is a format of attributes, besides those of package tabular.
const Parquet = "parquet"

// Formats lists the formats of attributes, which are also the extensions of file names. The first
// one is the default.
func Formats() []string { return []string{tabular.JSONLines, tabular.CSV, Parquet} }

// member is a row in a file of attributes: a record and its group.
type member struct {
	Record
	cluster   int  // number of its group, from 1; 0 if it has no near-duplicates
	canonical bool // whether the record is kept

	duplicateOf any     // if it is dropped, the id of the record kept in its place; see idValue
	similarity  float32 // if it is dropped, its similarity to that record; 0 if that is not known
}

// columns describes the columns of the attributes. All files of a run have the same columns, so
// that they can be read as one table.
type columns struct {
	bits       int  // width of the fingerprints
	numbers    bool // whether all ids are whole numbers
	ofNumbers  bool // whether each duplicateOf is a whole number
	similarity bool // whether there is a column for similarity
}

// members yields the records of the input with the given index, and their groups.
func (r *Result) members(ctx context.Context, input int) iter.Seq2[member, error] {
	return func(yield func(member, error) bool) {
		p := &r.news[input]
		record := p.first
		position := r.positionOf(record)
		for stored, err := range r.run.read(ctx, *p.input, nil) {
			m := member{Record: stored, canonical: true}
			if err == nil && stored.Informative && position < len(r.cluster) && r.Records.Set.ID(position) == uint64(record) {
				m.cluster = int(r.cluster[position])
				m.canonical = !r.IsDropped(position)
				if !m.canonical {
					m.duplicateOf = r.ids.of(r.canonicalOf(position))
					m.similarity = r.SimilarityAt(position)
				}
				position++
			}
			record++
			if !yield(m, err) || err != nil {
				return
			}
		}
		err := r.unchanged(p)
		if err == nil && record != p.first+p.n {
			err = fmt.Errorf("%s: %d records, expected %d: another process writes here", r.run.stored(*p.input), record-p.first, p.n)
		}
		if err != nil {
			yield(member{}, err)
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
	p := r.newCount("attributes", r.news)
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
		p.add(0, r.news[i].head.Bytes)
		return nil
	})
	if err != nil {
		return err
	}
	r.noticeOthers(notes.others(r.run.Folder, false))
	return nil
}

func (r *Result) writeAttributes(ctx context.Context, w io.Writer, input int, p *count) error {
	c := r.columns()
	t := c.newTable(w, r.run.format())
	n := 0
	for m, err := range r.members(ctx, input) {
		if err != nil {
			return err
		}
		if n++; n%4096 == 0 {
			p.add(4096, 0)
		}
		if r.run.Duplicates && m.cluster == 0 && m.canonical {
			continue
		}
		if err := t.Row(c.row(m)...); err != nil {
			return err
		}
	}
	p.add(n%4096, 0)
	return t.End(nil)
}

func (r *Result) columns() columns {
	named := r.madeUp && len(r.run.Inputs) > 1 // some kept records have names of file and number
	return columns{r.run.Source.Bits(), r.numbers, r.numbers && !named && len(r.news) == len(r.parts), r.Similarity > 0}
}

// row returns the values of the columns, as package tabular expects them.
func (c columns) row(m member) []any {
	row := []any{idValue(m.Record), nil, nil, m.canonical, m.duplicateOf}
	if m.Informative {
		row[1] = fphash.Fingerprint(m.Fingerprint).Hex(c.bits)
	}
	if m.cluster > 0 {
		row[2] = m.cluster
	}
	if c.similarity && m.similarity > 0 {
		return append(row, float64(m.similarity))
	}
	if c.similarity {
		return append(row, nil)
	}
	return row
}

// idValue returns the id of a record as a value for package tabular, which keeps numbers.
func idValue(r Record) any {
	if r.Number {
		return tabular.Raw(r.ID)
	}
	return string(r.ID)
}

// wholeNumber returns the id as a signed 64-bit number, if it is one.
func wholeNumber(r Record) (int64, bool) {
	if !r.Number {
		return 0, false
	}
	n, err := strconv.ParseInt(string(r.ID), 10, 64)
	return n, err == nil
}

// table writes rows, such as a tabular.Table.
type table interface {
	Row(values ...any) error
	End(err error) error
}

// newTable returns a table of a format. In Parquet, ids are int64 if all of them are whole numbers,
// and text otherwise.
func (c columns) newTable(w io.Writer, format string) table {
	text, number := parquet.String(), parquet.Int(64)
	id, of := text, text
	if c.numbers {
		id = number
	}
	if c.ofNumbers {
		of = number
	}
	list := []columnar.Column{
		{Name: "id", Type: id},
		{Name: "fingerprint", Type: parquet.Optional(text)},
		{Name: "cluster_id", Type: parquet.Optional(number)},
		{Name: "is_canonical", Type: parquet.Leaf(parquet.BooleanType)},
		{Name: "duplicate_of", Type: parquet.Optional(of)},
	}
	if c.similarity {
		list = append(list, columnar.Column{Name: "similarity", Type: parquet.Optional(parquet.Leaf(parquet.FloatType))})
	}
	if format == Parquet {
		return &parquetTable{columnar.NewWriter(w, list), list}
	}
	var names []string
	for _, column := range list {
		names = append(names, column.Name)
	}
	return tabular.New(w, format, names)
}

// parquetTable writes the values of columns.row to Parquet.
type parquetTable struct {
	w       *columnar.Writer
	columns []columnar.Column
}

func (t *parquetTable) Row(values ...any) error {
	for i, value := range values {
		column := t.columns[i].Type
		switch v := value.(type) {
		case tabular.Raw:
			value = string(v)
			if column.Type().Kind() == parquet.Int64 {
				number, err := strconv.ParseInt(string(v), 10, 64)
				if err != nil {
					return err
				}
				value = number
			}
		case string:
			value = strings.ToValidUTF8(v, "\uFFFD") // the column type requires UTF-8
		case int:
			value = int64(v)
		case float64:
			value = float32(v)
		}
		if column.Optional() {
			t.w.AddOptional(value, value != nil)
		} else {
			t.w.Add(value)
		}
	}
	return t.w.EndRow()
}

func (t *parquetTable) End(err error) error { return cmp.Or(err, t.w.Close()) }
