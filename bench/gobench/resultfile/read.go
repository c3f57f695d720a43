package resultfile

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchunit"
)

// Reader reads the results of one document after the other, and collects what they say of units.
// The zero value is ready to use.
type Reader struct{ reader benchfmt.Reader }

// Records returns the records of a document: results, metadata of units, and lines that do not
// parse. config is alternating keys and values that are added to each result. A result is valid
// until the next one.
func (r *Reader) Records(d *Document, config ...string) iter.Seq2[benchfmt.Record, error] {
	return func(yield func(benchfmt.Record, error) bool) {
		r.reader.Reset(bytes.NewReader(d.Text), d.Name, config...)
		for r.reader.Scan() {
			record := r.reader.Result()
			if result, ok := record.(*benchfmt.Result); ok {
				tidy(result)
			}
			if !yield(record, nil) {
				return
			}
		}
		if err := r.reader.Err(); err != nil {
			yield(nil, err)
		}
	}
}

// Results returns the results in the output of a benchmark and skips everything else. A result is
// valid until the next one.
func (r *Reader) Results(output []byte) iter.Seq[*benchfmt.Result] {
	return func(yield func(*benchfmt.Result) bool) {
		for record := range r.Records(&Document{Text: output}) {
			if result, ok := record.(*benchfmt.Result); ok && !yield(result) {
				return
			}
		}
	}
}

// Units returns the metadata of units of all documents so far.
func (r *Reader) Units() Units { return Units{r.reader.Units()} }

// tidy gives 0 ns/op the unit sec/op, which benchfmt gives only other values.
func tidy(r *benchfmt.Result) {
	for i, v := range r.Values {
		if v.OrigUnit != "" {
			continue
		}
		if value, unit := benchunit.Tidy(v.Value, v.Unit); unit != v.Unit {
			r.Values[i] = benchfmt.Value{Value: value, Unit: unit, OrigValue: v.Value, OrigUnit: v.Unit}
		}
	}
}

// Read reads one or several files that Write wrote, appended to each other. A row has the samples
// of all of them. Rows with errors come first. name stands in error messages.
func Read(r io.Reader, name string) (File, error) {
	d, err := ReadDocument(r, name)
	if err != nil {
		return File{}, fmt.Errorf("resultfile: %w", err)
	}
	var f File
	for _, h := range d.Head {
		name, message, _ := strings.Cut(h.Value, ": ")
		switch h.Name {
		case errorField:
			f.addOnce(Row{Name: name, Err: message})
		case skippedField:
			f.addOnce(Row{Name: name, Skipped: message})
		default:
			f.Head = append(f.Head, h.Field)
		}
	}
	rows := map[string]int{}
	var reader Reader
	for record, err := range reader.Records(d) {
		if err != nil {
			return File{}, fmt.Errorf("resultfile: %w", err)
		}
		switch record := record.(type) {
		case *benchfmt.SyntaxError:
			return File{}, fmt.Errorf("resultfile: %w", record)
		case *benchfmt.Result:
			f.add(record, rows)
		}
	}
	f.Units = reader.Units().unitsOf(f.Rows)
	return f, nil
}

// addOnce adds a row without samples, unless another run of the file has said the same.
func (f *File) addOnce(row Row) {
	if !slices.ContainsFunc(f.Rows, func(r Row) bool { return r.Name == row.Name && r.Err == row.Err && r.Skipped == row.Skipped }) {
		f.Rows = append(f.Rows, row)
	}
}

// add adds a sample to its row, which rows finds by name.
func (f *File) add(record *benchfmt.Result, rows map[string]int) {
	if f.Config == nil {
		for _, c := range record.Config {
			f.Config = append(f.Config, Field{c.Key, string(c.Value)})
		}
	}
	for _, v := range record.Values {
		value, unit := v.Value, v.Unit
		if v.OrigUnit != "" {
			// ns/key, which the reader has turned into sec/key
			value, unit = v.OrigValue, v.OrigUnit
		}
		key := record.Name.String() + " " + unit
		i, ok := rows[key]
		if !ok {
			i = len(f.Rows)
			rows[key] = i
			f.Rows = append(f.Rows, Row{Name: record.Name.String(), Unit: unit})
		}
		f.Rows[i].Samples = append(f.Rows[i].Samples, Sample{record.Iters, value})
	}
}
