// Package resultfile reads and writes benchmark results in Go benchmark format, so that benchstat
// can compare any two of its files. It also reads what go test -bench prints.
//
// benchstat shows results under one heading only if their plain "key: value" lines are equal. So
// those lines carry what two runs worth comparing have in common (goos, goarch, pkg, cpu), and what
// may differ (date, command, commit) stands at the head as "# name: value" lines, which benchstat
// skips. A case that gave a wrong answer has no figures, but a line "# error: NAME: what was
// wrong".
//
// Rows of one name with a single sample each, as exact figures have, share a line if they stand
// side by side.
//
// [Read] gives a file as rows with their samples, [NewDocument] and [Reader] its lines, with their
// numbers and the process runs that they come from. [Figure] is what samples say.
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
	"simhashkit/bench/gobench/benchname"
)

// File is the content of a result file.
type File struct {
	Head   []Field // what may differ between runs that are compared
	Config []Field // what must be equal
	Rows   []Row
	Units  []Unit // of which there is something to say
}

// Field is a line "name: value".
type Field struct{ Name, Value string }

// ValueOf returns the value of the first field of that name, "" if there is none.
func ValueOf(fields []Field, name string) string {
	if i := slices.IndexFunc(fields, func(f Field) bool { return f.Name == name }); i >= 0 {
		return fields[i].Value
	}
	return ""
}

// Row is one case with all its samples, in the order in which they were taken.
type Row struct {
	Name    string // without the word Benchmark
	Unit    string // of the samples' values: ns/key, ns/nnz, MB/s
	Samples []Sample
	Err     string // what was wrong with the answer; such a row has no samples
}

// Sample is one measurement.
type Sample struct {
	Iterations int
	Value      float64
}

// errorField is the field of the head that is about a row.
const errorField = "error"

// Write writes the file; values keep 8 digits.
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
	results := benchfmt.NewWriter(&out)
	for _, line := range f.metadata() {
		if err := results.Write(line); err != nil {
			return fmt.Errorf("resultfile: %w", err)
		}
	}
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
	former := "" // name of the last row if that had one sample
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

// Round8 rounds to 8 significant digits: fused multiplications change more of them.
func Round8(v float64) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 8, 64), 64)
	if err != nil {
		return v // an infinity that rounding made; there is nothing better to say
	}
	return rounded
}

// oneLine joins the lines of a value, which would break the format.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Unit is what a file says of one of its units.
type Unit struct {
	Name   string
	Exact  bool // its figures have no noise: any difference between two runs is one
	Better int  // +1: higher is better, -1: lower, 0: neither, or not known
}

// Metadata of units, as benchstat knows them.
const (
	betterKey  = "better"
	assumeKey  = "assume"
	exactValue = "exact"
)

// Units is the metadata of units. Names may be tidied, as sec/op is from ns/op, or not.
type Units struct{ metadata benchfmt.UnitMetadataMap }

// Exact reports whether a unit's figures have no noise: "Unit recall assume=exact".
func (u Units) Exact(unit string) bool {
	metadata := u.metadata.Get(unit, assumeKey)
	return metadata != nil && metadata.Value == exactValue
}

// Better returns the better direction that metadata name, if any: "Unit recall better=higher".
func (u Units) Better(unit string) (direction int, said bool) {
	if u.metadata.Get(unit, betterKey) == nil {
		return 0, false
	}
	return u.metadata.GetBetter(unit), true
}

// unitsOf returns the units of the rows that have metadata, in order of appearance.
func (u Units) unitsOf(rows []Row) (list []Unit) {
	for _, r := range rows {
		unit := Unit{Name: r.Unit, Exact: u.Exact(r.Unit)}
		unit.Better, _ = u.Better(r.Unit)
		if unit != (Unit{Name: r.Unit}) && !slices.Contains(list, unit) {
			list = append(list, unit)
		}
	}
	return list
}

func (f File) metadata() (list []*benchfmt.UnitMetadata) {
	for _, u := range f.Units {
		add := func(key, value string) {
			list = append(list, &benchfmt.UnitMetadata{UnitMetadataKey: benchfmt.UnitMetadataKey{Unit: u.Name, Key: key}, OrigUnit: u.Name, Value: value})
		}
		if u.Exact {
			add(assumeKey, exactValue)
		}
		switch u.Better {
		case +1:
			add(betterKey, "higher")
		case -1:
			add(betterKey, "lower")
		}
	}
	return list
}

// confidence of the intervals. With fewer than 6 samples no interval has it.
const confidence = 0.95

// Figure is the median of the samples of a benchmark in one unit.
type Figure struct {
	Median  float64
	Lo, Hi  float64 // the 95% interval of the median, infinite with fewer than 6 samples
	Samples int
}

// NewFigure returns the figure of one or more values, as benchstat computes it.
func NewFigure(values []float64) Figure { return figureOf(values, benchmath.AssumeNothing) }

// NewExactFigure returns the commonest value, and the range of all in place of an interval.
func NewExactFigure(values []float64) Figure { return figureOf(values, benchmath.AssumeExact) }

func figureOf(values []float64, assumption benchmath.Assumption) Figure {
	s := assumption.Summary(benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds), confidence)
	return Figure{s.Center, s.Lo, s.Hi, len(values)}
}

// PlusMinus is the larger half of the interval in percent of the median: "3%", "∞" if unknown.
func (f Figure) PlusMinus() string {
	if f.Lo == f.Hi {
		return "0%"
	}
	share := max(f.Hi-f.Median, f.Median-f.Lo) / math.Abs(f.Median)
	if f.Median == 0 { // among other values
		share = (f.Hi - f.Lo) / math.Abs(f.Lo)
	}
	if math.IsNaN(share) || math.Abs(share) > math.MaxFloat64/100 {
		return "∞"
	}
	return fmt.Sprintf("%.0f%%", 100*share)
}

// Summary is a row with its name taken apart and its samples summed up.
type Summary struct {
	Name benchname.Name
	Unit string
	Err  string // why there is no figure
	Figure
}

// Summarize sums the rows up, in order. A row without samples has an error.
func Summarize(rows []Row) []Summary {
	var list []Summary
	for _, r := range rows {
		name, err := benchname.Parse(r.Name)
		if err != nil {
			name = benchname.Name{Base: r.Name} // a name of somebody else's
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
