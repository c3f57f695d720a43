// Package rows sorts what result files hold into cells that a report can ask for: a cell is one
// benchmark name of one file with its figures by unit.
//
// Deterministic figures are the same on every machine, so those of all files stand side by side.
// Times are not: cells that are compared by time come out of one run on one machine, whose cases
// were measured in turn.
package rows

import (
	"math"
	"slices"
	"strconv"

	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/gobench/resultfile"
)

// Source is a result file and the name to call it by.
type Source struct {
	Name string
	File resultfile.File
}

// Head returns a field of the file's head, "" where it has none.
func (s Source) Head(name string) string { return value(s.File.Head, name) }

// Config returns a plain "name: value" line of the file, "" where it has none.
func (s Source) Config(name string) string { return value(s.File.Config, name) }

func value(fields []resultfile.Field, name string) string {
	for _, f := range fields {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

// Figure is what a row says: the median of its samples.
type Figure struct {
	Value     float64
	Low, High float64 // the 95% interval of the median, where Sampled
	Sampled   bool    // there were enough samples for an interval
}

// NewFigure returns the figure of a median with its interval, which may be infinite, and false
// where the median is no measurement: infinite, or beyond all measure.
func NewFigure(median, low, high float64) (Figure, bool) {
	return Figure{Value: median, Low: low, High: high, Sampled: plausible(low) && plausible(high) && low < high}, plausible(median)
}

// Overlaps reports whether the intervals of two figures have a value in common, so that the order
// of the two is not known. Without intervals only equal figures do.
func (f Figure) Overlaps(g Figure) bool {
	if !f.Sampled || !g.Sampled {
		return f.Value == g.Value
	}
	return f.Low <= g.High && g.Low <= f.High
}

// Cell is one benchmark of one file with all its figures.
type Cell struct {
	Name    benchname.Name
	Source  int // which file, counted from 0
	figures map[string]Figure
}

// Get returns the figure of that unit. Figures are finite, and small enough to reckon with.
func (c Cell) Get(unit string) (Figure, bool) {
	f, ok := c.figures[unit]
	return f, ok
}

// Value returns the value of the figure of that unit, and false where there is none.
func (c Cell) Value(unit string) (float64, bool) {
	f, ok := c.figures[unit]
	return f.Value, ok
}

// Number returns the value of a key of the name as a number, and false where it is none.
func (c Cell) Number(key string) (float64, bool) {
	v, err := strconv.ParseFloat(c.Name.Get(key), 64)
	return v, err == nil && plausible(v)
}

// Encoding returns how the index enters the hash: le64 where the name does not say.
func (c Cell) Encoding() string {
	if e := c.Name.Get("encoding"); e != "" {
		return e
	}
	return "le64"
}

// Row returns the name as it stands in the file.
func (c Cell) Row() string { return "Benchmark" + c.Name.String() }

// Broken is a case that has no figures, and why.
type Broken struct {
	Base   string // of its name: Hash, Projection ...
	Row    string
	Source int
	Reason string
}

// Set is the content of some files.
type Set struct {
	Sources []Source
	Broken  []Broken
	Dropped int // figures that are no numbers, infinite or beyond all measure
	byBase  []map[string][]Cell
}

// New sorts the rows of the sources, in order of appearance.
func New(sources []Source) *Set {
	s := &Set{Sources: sources}
	for i, source := range sources {
		s.add(i, source.File.Rows)
	}
	return s
}

func (s *Set) add(source int, list []resultfile.Row) {
	byBase := map[string][]Cell{}
	places := map[string]int{}
	for _, r := range resultfile.Summarize(list) {
		if r.Err != "" {
			s.Broken = append(s.Broken, Broken{r.Name.Base, "Benchmark" + r.Name.String(), source, r.Err})
			continue
		}
		f, ok := NewFigure(r.Median, r.Lo, r.Hi)
		if !ok {
			s.Dropped++
			continue
		}
		name := r.Name.String()
		cells := byBase[r.Name.Base]
		i, ok := places[name]
		if !ok {
			i = len(cells)
			places[name] = i
			cells = append(cells, Cell{Name: r.Name, Source: source, figures: map[string]Figure{}})
			byBase[r.Name.Base] = cells
		}
		cells[i].figures[r.Unit] = f
	}
	s.byBase = append(s.byBase, byBase)
}

// Has reports whether a file has rows of that base.
func (s *Set) Has(base string) bool {
	return slices.ContainsFunc(s.byBase, func(cells map[string][]Cell) bool { return len(cells[base]) > 0 })
}

// plausible reports whether a number can be a measurement: it is finite, and can be added and
// multiplied without ceasing to be.
func plausible(v float64) bool { return math.Abs(v) < 1e100 }
