package ab

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchproc"

	"simhashkit/bench/gobench/compare"
	"simhashkit/bench/gobench/resultfile"
)

// place identifies a row of a report: the lines that its table has in common, its name, its unit.
type place struct{ config, row, unit string }

// benchmark returns the place without its unit.
func (p place) benchmark() place { return place{config: p.config, row: p.row} }

// figure sums up the samples of one process run.
type figure struct {
	value    float64 // the better quartile: see undisturbed
	mean     float64 // of all samples
	samples  int
	constant bool // all of them are the same
}

// figures are those of one process run.
type figures struct {
	order []place // of appearance
	of    map[place]figure
}

// parser reads outputs, and groups results as package compare does.
type parser struct {
	reader     resultfile.Reader
	table, row *benchproc.Projection
}

func newParser(ignore string) (*parser, error) {
	filter, err := benchproc.NewFilter("*")
	if err != nil {
		return nil, fmt.Errorf("ab: %w", err)
	}
	p := &parser{}
	var projections benchproc.ProjectionParser
	if p.table, _, err = projections.ParseWithUnit(".config", filter); err != nil {
		return nil, fmt.Errorf("ab: %w", err)
	}
	if p.row, err = projections.Parse(".fullname", filter); err != nil {
		return nil, fmt.Errorf("ab: %w", err)
	}
	if _, err := projections.Parse(ignore, filter); err != nil {
		return nil, fmt.Errorf("ab: ignore: %w", err)
	}
	return p, nil
}

// parse returns the figures of a run. It leaves out units that are exact or not judged, and values
// that are not finite, which package compare reports.
func (p *parser) parse(text []byte) figures {
	samples := map[place][]float64{}
	var run figures
	for r := range p.reader.Results(text) {
		row := p.row.Project(r).StringValues()
		tables := p.table.ProjectValues(r)
		for i, v := range r.Values {
			if compare.Repeats(r.Values, i, func(int) bool { return true }) {
				continue
			}
			at := place{configOf(compare.FieldsOf(tables[i])), row, v.Unit}
			if units := p.reader.Units(); units.Exact(v.Unit) || units.Unjudged(v.Unit) || math.IsNaN(v.Value) || math.IsInf(v.Value, 0) {
				continue
			}
			if samples[at] == nil {
				run.order = append(run.order, at)
			}
			samples[at] = append(samples[at], v.Value)
		}
	}
	run.of = make(map[place]figure, len(run.order))
	for _, at := range run.order {
		run.of[at] = figure{undisturbed(at.unit, samples[at]), mean(samples[at]), len(samples[at]), slices.Min(samples[at]) == slices.Max(samples[at])}
	}
	return run
}

// placeOf returns the place of a report's row.
func placeOf(t compare.Table, r compare.Row) place { return place{configOf(t.Config), r.Name, t.Unit} }

// configOf writes fields such that equal ones are equal, in whichever order they have been met.
func configOf(fields []resultfile.Field) string {
	lines := make([]string, len(fields))
	for i, f := range fields {
		lines[i] = f.Name + ": " + f.Value
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// undisturbed estimates what a run would have given if nothing had disturbed it: the better
// quartile of its samples for times and rates, and the median for anything else. Interrupted
// samples are always slower, and on a busy machine there are many of them.
//
// Measured on two processors with a load of nine, 30 differences of the figures of two runs
// (Accumulate/weights=f32/f=64/kernel=avx2/nnz=100, 60 samples of a millisecond) had a standard
// deviation, estimated from the median deviation, of 1.8% by the median and 0.3% by the quartile;
// with 5 samples of 12 ms it was 20% and 42%.
func undisturbed(unit string, values []float64) float64 {
	v := slices.Sorted(slices.Values(values))
	switch {
	case strings.HasSuffix(unit, "/s"):
		return quantile(v, 0.75)
	case unit == "sec" || strings.HasPrefix(unit, "sec/") || strings.HasSuffix(unit, "-sec") || strings.Contains(unit, "-sec/"):
		return quantile(v, 0.25)
	}
	return quantile(v, 0.5)
}

// mean returns the mean, which no sum overflows.
func mean(values []float64) float64 {
	m := 0.0
	for i, v := range values {
		m += v/float64(i+1) - m/float64(i+1)
	}
	return m
}

// quantile interpolates in sorted values, of which there is at least one.
func quantile(v []float64, p float64) float64 {
	at := p * float64(len(v)-1)
	i := int(at)
	if i+1 == len(v) || v[i] == v[i+1] {
		return v[i]
	}
	return v[i] + (v[i+1]-v[i])*(at-float64(i))
}
