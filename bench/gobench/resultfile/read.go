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

// Reader reads the results of several documents, and collects the metadata of their units.
type Reader struct{ reader benchfmt.Reader }

// Records returns the records of a document: results, metadata of units, and lines that do not
// parse. config has keys and values to add to each result. A result is valid until the next one.
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

// Results returns the results in an output. A result is valid until the next one.
func (r *Reader) Results(output []byte) iter.Seq[*benchfmt.Result] {
	return func(yield func(*benchfmt.Result) bool) {
		for record := range r.Records(&Document{Text: output}) {
			if result, ok := record.(*benchfmt.Result); ok && !yield(result) {
				return
			}
		}
	}
}

// Units returns the metadata of the units of all documents read so far.
func (r *Reader) Units() benchfmt.UnitMetadataMap { return r.reader.Units() }

// tidy converts 0 ns/op to sec/op. benchfmt converts only other values.
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

// Read reads one or more concatenated files of Write. Rows with errors come first.
func Read(r io.Reader, name string) (File, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return File{}, fmt.Errorf("resultfile: %s: %w", name, err)
	}
	d, err := NewDocument(text, name)
	if err != nil {
		return File{}, fmt.Errorf("resultfile: %w", err)
	}
	var f File
	for _, h := range d.Head {
		if h.Name != errorField {
			f.Head = append(f.Head, h)
			continue
		}
		name, message, _ := strings.Cut(h.Value, ": ")
		if !slices.ContainsFunc(f.Rows, func(r Row) bool { return r.Name == name && r.Err == message }) {
			f.Rows = append(f.Rows, Row{Name: name, Err: message})
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
	for _, r := range f.Rows {
		unit := Unit{Name: r.Unit, Exact: Exact(reader.Units(), r.Unit)}
		unit.Better, _ = Better(reader.Units(), r.Unit)
		if unit != (Unit{Name: r.Unit}) && !slices.Contains(f.Units, unit) {
			f.Units = append(f.Units, unit)
		}
	}
	return f, nil
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
			// the reader has converted ns/key to sec/key
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

// Document is the text of a result file, with the information in its lines that are not results.
// Lines count from 1.
type Document struct {
	Name     string    // name in messages
	Text     []byte    // in UTF-8, without a byte order mark
	Head     []Field   // lines "# name: value" anywhere in the text
	Failures []Failure // failed benchmarks, whose results may be missing

	starts []int // lines after which a new process run begins
}

// Failure is a line about a failed benchmark.
type Failure struct {
	Line    int
	Message string
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// NewDocument returns the document of a text. A [Reader] reads its results. It returns an error if
// the text is UTF-16.
func NewDocument(text []byte, name string) (*Document, error) {
	if bytes.HasPrefix(text, []byte{0xff, 0xfe}) || bytes.HasPrefix(text, []byte{0xfe, 0xff}) {
		return nil, fmt.Errorf("%s: the file is UTF-16, as old PowerShells write it; expected UTF-8, as by go test ... | Out-File -Encoding utf8 FILE", name)
	}
	d := &Document{Name: name, Text: bytes.TrimPrefix(text, byteOrderMark)}
	d.scan()
	return d, nil
}

// scan reads the lines that are not results.
func (d *Document) scan() {
	number := 0
	var verdicts []Failure
	for line := range bytes.Lines(d.Text) {
		number++
		line = bytes.TrimRight(line, "\r\n")
		if HasPrefix(line, "PASS", "FAIL", "ok  \t", "goos:", "goarch:", "pkg:", "# date:") { // a run ends or begins
			d.starts = append(d.starts, number)
		}
		switch {
		case HasPrefix(line, "# "):
			name, value, found := strings.Cut(string(line[2:]), ": ")
			if found {
				d.Head = append(d.Head, Field{name, value})
			}
			if found && name == errorField { // "# error: CASE: MESSAGE"
				d.Failures = append(d.Failures, Failure{number, value})
			}
		case HasPrefix(line, "--- FAIL: ", "FAIL\t", "panic: ", "fatal error: "):
			d.Failures = append(d.Failures, Failure{number, string(line)})
		case string(line) == "FAIL":
			verdicts = append(verdicts, Failure{number, string(line)})
		}
	}
	if len(d.Failures) == 0 { // other lines do not name the failures
		d.Failures = verdicts
	}
}

// HasPrefix reports whether a line begins with one of the prefixes.
func HasPrefix(line []byte, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return bytes.HasPrefix(line, []byte(p)) })
}

// Run returns the number of the process run that a line belongs to, from 0 to Runs()-1.
func (d *Document) Run(line int) int {
	n, _ := slices.BinarySearch(d.starts, line)
	return n
}

// Runs returns an upper bound of the number of process runs.
func (d *Document) Runs() int { return len(d.starts) + 1 }
