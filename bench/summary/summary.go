// Package summary sums up the samples of benchmark rows, and finds the rows that belong together.
package summary

import (
	"strings"

	"golang.org/x/perf/benchmath"

	"simhashkit/asm/cpu"
	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/gobench/resultfile"
)

// confidence of the intervals. With fewer than 6 samples no interval has it.
const confidence = 0.95

// Row is a row of results with its samples summed up.
type Row struct {
	Name    benchname.Name
	Unit    string
	Err     string            // why there are no figures
	Skipped bool              // it was left out on purpose; Err says why
	Summary benchmath.Summary // Center is the median, Lo and Hi bound its 95% interval
}

// Rows sums the rows up, in order. A row without samples has an error.
func Rows(results []resultfile.Row) []Row {
	var rows []Row
	for _, r := range results {
		name, err := benchname.Parse(r.Name)
		if err != nil {
			name = benchname.Name{Base: r.Name} // a name of somebody else's
		}
		row := Row{Name: name, Unit: r.Unit, Err: r.Err}
		if r.Skipped != "" {
			row.Skipped, row.Err = true, r.Skipped
		}
		if row.Err == "" && len(r.Samples) == 0 {
			row.Err = "no samples"
		}
		if row.Err == "" {
			var values []float64
			for _, s := range r.Samples {
				values = append(values, s.Value)
			}
			row.Summary = benchmath.AssumeNothing.Summary(benchmath.NewSample(values, &benchmath.DefaultThresholds), confidence)
		}
		rows = append(rows, row)
	}
	return rows
}

// Interval is half of what the confidence interval spans, in percent of the median: "3%"; "∞" if
// there are too few samples.
func (r Row) Interval() string {
	return strings.TrimSpace(strings.TrimPrefix(r.Summary.PctRangeString(), "±"))
}

// Index finds rows by name and unit.
type Index map[key]Row

type key struct{ name, unit string }

// NewIndex returns an index of the rows. A row without a unit, as a file has it of a case that
// failed, stands for whatever unit is asked for.
func NewIndex(rows []Row) Index {
	index := make(Index, len(rows))
	for _, r := range rows {
		index[key{r.Name.String(), r.Unit}] = r
	}
	return index
}

// Get returns the row of that name and unit.
func (x Index) Get(name benchname.Name, unit string) (Row, bool) {
	r, ok := x[key{name.String(), unit}]
	if !ok {
		r, ok = x[key{name.String(), ""}]
	}
	return r, ok
}

// AtTier returns the row of that name or, where the name's kernel is a tier that has no row, the
// row of the best tier below: ops that have no kernel of their own at a tier use the one below, and
// have no row then.
func (x Index) AtTier(name benchname.Name, unit string) (Row, bool) {
	tier, err := cpu.ParseTier(name.Get("kernel"))
	if err != nil {
		return x.Get(name, unit)
	}
	for ; ; tier-- {
		if r, ok := x.Get(name.With("kernel", tier.String()), unit); ok || tier == cpu.Generic {
			return r, ok
		}
	}
}
