// Package resultfile reads and writes benchmark results in Go benchmark format, so that benchstat
// can compare its files.
//
// benchstat shows results in one table only if their plain "key: value" lines are equal. Therefore
// these lines contain the configuration that comparable runs share (goos, goarch, pkg, cpu). Fields
// that may differ (date, command, commit) are at the head as "# name: value" lines, which benchstat
// skips. A case that gave a wrong answer has no figures, but a line "# error: NAME: MESSAGE".
//
// Adjacent rows with the same name and a single sample each share a line. Exact figures have such
// rows.
//
// [Read] returns a file as rows with their samples. [Figure] summarizes samples.
package resultfile

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"

	"simhashkit/internal/gobench/benchname"
	"simhashkit/internal/gobench/samples"
)

// File is the content of a result file.
type File struct {
	Head   []Field // fields that may differ between compared runs
	Config []Field // fields that must be equal
	Rows   []Row
	Units  []Unit // units with metadata
}

// Field is a line "name: value".
type Field struct{ Name, Value string }

// ValueOf returns the value of the first field with the name, or "" if there is none.
func ValueOf(fields []Field, name string) string {
	if i := slices.IndexFunc(fields, func(f Field) bool { return f.Name == name }); i >= 0 {
		return fields[i].Value
	}
	return ""
}

// Row is one case with all its samples, in the order in which they were taken.
type Row struct {
	Name    string // without the prefix Benchmark
	Unit    string // of the samples' values, such as ns/key, ns/nnz or MB/s
	Samples []Sample
	Err     string // error of a wrong answer; such a row has no samples
}

// Sample is one measurement.
type Sample struct {
	Iterations int
	Value      float64
}

// Write writes the file, with values rounded to 8 digits.
func Write(w io.Writer, f File) error {
	var out bytes.Buffer
	for _, h := range f.Head {
		fmt.Fprintf(&out, "# %s: %s\n", h.Name, oneLine(h.Value))
	}
	for _, r := range f.Rows {
		if r.Err != "" {
			fmt.Fprintf(&out, "# %s: %s: %s\n", samples.ErrorField, r.Name, oneLine(r.Err))
		}
	}
	for _, u := range f.Units {
		if u.Exact {
			fmt.Fprintf(&out, "Unit %s assume=exact\n", u.Name)
		}
		if direction := map[int]string{-1: "lower", +1: "higher"}[u.Better]; direction != "" {
			fmt.Fprintf(&out, "Unit %s better=%s\n", u.Name, direction)
		}
	}
	results := benchfmt.NewWriter(&out)
	var config []benchfmt.Config
	for _, c := range f.Config {
		config = append(config, benchfmt.Config{Key: c.Name, Value: []byte(oneLine(c.Value)), File: true})
	}
	for _, line := range lines(f.Rows) {
		line.Config = config
		if err := results.Write(line); err != nil {
			return fmt.Errorf("resultfile: %w", err)
		}
	}
	if _, err := w.Write(out.Bytes()); err != nil {
		return fmt.Errorf("resultfile: %w", err)
	}
	return nil
}

func lines(rows []Row) []*benchfmt.Result {
	var list []*benchfmt.Result
	former := "" // name of the last row if it had one sample
	for _, r := range rows {
		for _, s := range r.Samples {
			value := benchfmt.Value{Value: samples.Round8(s.Value), Unit: r.Unit}
			if last := len(list) - 1; len(r.Samples) == 1 && former == r.Name && list[last].Iters == s.Iterations {
				list[last].Values = append(list[last].Values, value)
				continue
			}
			list = append(list, &benchfmt.Result{Name: benchfmt.Name(r.Name), Iters: s.Iterations, Values: []benchfmt.Value{value}})
		}
		if former = ""; len(r.Samples) == 1 {
			former = r.Name
		}
	}
	return list
}

// oneLine joins the lines of a value, which would break the format.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Read reads one or more concatenated files of Write. Rows with errors come first.
func Read(r io.Reader, name string) (File, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return File{}, fmt.Errorf("resultfile: %s: %w", name, err)
	}
	d, err := samples.NewDocument(text, name)
	if err != nil {
		return File{}, fmt.Errorf("resultfile: %w", err)
	}
	var f File
	for _, h := range d.Head {
		if h.Key != samples.ErrorField {
			f.Head = append(f.Head, Field{h.Key, string(h.Value)})
			continue
		}
		name, message, _ := strings.Cut(string(h.Value), ": ")
		if !slices.ContainsFunc(f.Rows, func(r Row) bool { return r.Name == name && r.Err == message }) {
			f.Rows = append(f.Rows, Row{Name: name, Err: message})
		}
	}
	rows := map[string]int{}
	var reader samples.Reader
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
		unit := Unit{Name: r.Unit, Exact: reader.Exact(r.Unit)}
		unit.Better, _ = reader.Better(r.Unit)
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

// Unit is the metadata of a unit.
type Unit struct {
	Name   string
	Exact  bool // the figures have no noise, so any difference between two runs is real
	Better int  // +1: higher is better, -1: lower is better, 0: neither or unknown
}

// confidence is the confidence level of the intervals. Fewer than 6 samples have no such interval.
const confidence = 0.95

// Figure is the median of the samples of a benchmark in one unit.
type Figure struct {
	Median  float64
	Lo, Hi  float64 // 95% interval of the median; infinite with fewer than 6 samples
	Samples int
}

// NewFigure returns the figure of one or more values, computed by benchstat's method.
func NewFigure(values []float64) Figure {
	s := benchmath.AssumeNothing.Summary(benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds), confidence)
	return Figure{s.Center, s.Lo, s.Hi, len(values)}
}

// PlusMinus returns the larger half of the interval in percent of the median, such as "3%", or "∞"
// if it is unknown.
func (f Figure) PlusMinus() string {
	if f.Lo == f.Hi {
		return "0%"
	}
	share := max(f.Hi-f.Median, f.Median-f.Lo) / math.Abs(f.Median)
	if f.Median == 0 { // the median is 0, but other values are not
		share = (f.Hi - f.Lo) / math.Abs(f.Lo)
	}
	if math.IsNaN(share) || math.Abs(share) > math.MaxFloat64/100 {
		return "∞"
	}
	return fmt.Sprintf("%.0f%%", 100*share)
}

// Summary is a row with a parsed name and the figure of its samples.
type Summary struct {
	Name benchname.Name
	Unit string
	Err  string // the reason why there is no figure
	Figure
}

// Summarize returns the summaries of the rows, in order. A row without samples has an error.
func Summarize(rows []Row) []Summary {
	var list []Summary
	for _, r := range rows {
		s := Summary{Name: benchname.Parse(r.Name), Unit: r.Unit, Err: r.Err}
		switch {
		case r.Err == "" && len(r.Samples) == 0:
			s.Err = "no samples"
		case r.Err == "":
			var values []float64
			for _, sample := range r.Samples {
				values = append(values, sample.Value)
			}
			s.Figure = NewFigure(values)
		}
		list = append(list, s)
	}
	return list
}
