// Package resultfile reads and writes benchmark results in Go benchmark format, so that benchstat
// can compare its files. It also reads the output of go test -bench.
//
// benchstat shows results in one table only if their plain "key: value" lines are equal. Therefore
// these lines contain the configuration that comparable runs share (goos, goarch, pkg, cpu). Fields
// that may differ (date, command, commit) are at the head as "# name: value" lines, which benchstat
// skips. A case that gave a wrong answer has no figures, but a line "# error: NAME: MESSAGE".
//
// Adjacent rows with the same name and a single sample each share a line. Exact figures have such
// rows.
//
// [Read] returns a file as rows with their samples. [NewDocument] and [Reader] return its lines
// with their numbers and process runs. [Figure] summarizes samples.
package resultfile

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"

	"simhashkit/internal/gobench/benchname"
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

// errorField is the field of the head with the error of a row.
const errorField = "error"

// Write writes the file, with values rounded to 8 digits.
func Write(w io.Writer, f File) error {
	var out bytes.Buffer
	for _, h := range f.Head {
		fmt.Fprintf(&out, "# %s: %s\n", h.Name, oneLine(h.Value))
	}
	for _, r := range f.Rows {
		if r.Err != "" {
			fmt.Fprintf(&out, "# %s: %s: %s\n", errorField, r.Name, oneLine(r.Err))
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
			value := benchfmt.Value{Value: Round8(s.Value), Unit: r.Unit}
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

// Round8 rounds to 8 significant digits, since fused multiplications may change further digits.
func Round8(v float64) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 8, 64), 64)
	if err != nil {
		return v // rounding gave an infinity
	}
	return rounded
}

// oneLine joins the lines of a value, which would break the format.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Unit is the metadata of a unit.
type Unit struct {
	Name   string
	Exact  bool // the figures have no noise, so any difference between two runs is real
	Better int  // +1: higher is better, -1: lower is better, 0: neither or unknown
}

// Exact reports whether metadata declares a unit exact: "Unit recall assume=exact".
func Exact(metadata benchfmt.UnitMetadataMap, unit string) bool {
	return metadata.GetAssumption(unit) == benchmath.AssumeExact
}

// Better returns the better direction of a unit, if metadata has one: "Unit recall better=higher".
func Better(metadata benchfmt.UnitMetadataMap, unit string) (direction int, ok bool) {
	if metadata.Get(unit, "better") == nil {
		return 0, false
	}
	return metadata.GetBetter(unit), true
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
func NewFigure(values []float64) Figure { return figureOf(values, benchmath.AssumeNothing) }

// NewExactFigure returns the most frequent value as Median, and the range of all values as Lo and
// Hi.
func NewExactFigure(values []float64) Figure { return figureOf(values, benchmath.AssumeExact) }

func figureOf(values []float64, assumption benchmath.Assumption) Figure {
	s := assumption.Summary(benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds), confidence)
	return Figure{s.Center, s.Lo, s.Hi, len(values)}
}

// Mean returns the mean without overflow. The mean of equal values is exact.
func Mean(values []float64) float64 {
	m := 0.0
	for i, v := range values {
		m += v/float64(i+1) - m/float64(i+1)
	}
	return m
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
		name, err := benchname.Parse(r.Name)
		if err != nil {
			name = benchname.Name{Base: r.Name} // a name from another program
		}
		s := Summary{Name: name, Unit: r.Unit, Err: r.Err}
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
