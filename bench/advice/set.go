package advice

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
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

// Plausible reports whether the median of a figure can be a measurement: it is finite, and can be
// added and multiplied without ceasing to be.
func Plausible(f resultfile.Figure) bool { return plausible(f.Median) }

// Bounded reports whether there were enough samples for an interval.
func Bounded(f resultfile.Figure) bool {
	return plausible(f.Lo) && plausible(f.Hi) && f.Lo < f.Hi
}

// Cell is one benchmark of one file with all its figures.
type Cell struct {
	Name    benchname.Name
	Source  int // which file, counted from 0
	figures map[string]resultfile.Figure
	samples map[string][]resultfile.Sample
}

// Get returns the figure of that unit. Figures are finite, and small enough to reckon with.
func (c Cell) Get(unit string) (resultfile.Figure, bool) {
	f, ok := c.figures[unit]
	return f, ok
}

// Value returns the median of the figure of that unit, and false if the cell has none.
func (c Cell) Value(unit string) (float64, bool) {
	f, ok := c.figures[unit]
	return f.Median, ok
}

// Number returns the value of a key of the name as a number, and false where it is none.
func (c Cell) Number(key string) (float64, bool) {
	v, err := strconv.ParseFloat(c.Name.Get(key), 64)
	return v, err == nil && plausible(v)
}

// Encoding returns how the index enters the hash: le64 where the name does not say.
func (c Cell) Encoding() string {
	return cmp.Or(c.Name.Get("encoding"), terms.LE64)
}

// Row returns the name as it stands in the file.
func (c Cell) Row() string { return "Benchmark" + c.Name.String() }

// Broken is a cell without figures, and why.
type Broken struct {
	Cell
	Reason  string
	Skipped bool // it was left out on purpose
}

// Set is the content of some files. Deterministic figures are the same on every machine, so those
// of all files stand side by side. Times are not: those that are compared come out of one run on
// one machine, whose cases were measured in turn.
type Set struct {
	Sources []Source
	Broken  []Broken
	Dropped int // figures that are no numbers, infinite or beyond all measure
	byBase  []map[string][]Cell
}

// NewSet sorts the rows of the sources, in order of appearance.
func NewSet(sources []Source) *Set {
	s := &Set{Sources: sources}
	for i, source := range sources {
		s.add(i, source.File.Rows)
	}
	return s
}

func (s *Set) add(source int, list []resultfile.Row) {
	byBase := map[string][]Cell{}
	places := map[string]int{}
	for row, r := range resultfile.Summarize(list) {
		if r.Err != "" {
			s.Broken = append(s.Broken, Broken{Cell{Name: r.Name, Source: source}, r.Err, r.Skipped})
			continue
		}
		if !Plausible(r.Figure) {
			s.Dropped++
			continue
		}
		name := r.Name.String()
		cells := byBase[r.Name.Base]
		i, ok := places[name]
		if !ok {
			i = len(cells)
			places[name] = i
			cells = append(cells, Cell{Name: r.Name, Source: source, figures: map[string]resultfile.Figure{}, samples: map[string][]resultfile.Sample{}})
			byBase[r.Name.Base] = cells
		}
		cells[i].figures[r.Unit], cells[i].samples[r.Unit] = r.Figure, list[row].Samples
	}
	s.byBase = append(s.byBase, byBase)
}

// Has reports whether a file has rows of that base.
func (s *Set) Has(base string) bool {
	return slices.ContainsFunc(s.byBase, func(cells map[string][]Cell) bool { return len(cells[base]) > 0 })
}

func plausible(v float64) bool { return math.Abs(v) < 1e100 }
