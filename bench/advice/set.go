package advice

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

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
func (s Source) Head(name string) string { return resultfile.ValueOf(s.File.Head, name) }

// Config returns a plain "name: value" line of the file, "" where it has none.
func (s Source) Config(name string) string { return resultfile.ValueOf(s.File.Config, name) }

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

// Number returns the numeric value of a key of the name; false if it is not a number.
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
	Reason string
}

// Set holds the contents of one or more result files. Exact figures of all files stand side by
// side. Times that are compared come from one run on one machine, whose cases were measured in
// turn.
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
			s.Broken = append(s.Broken, Broken{Cell{Name: r.Name, Source: source}, r.Err})
			continue
		}
		if !plausible(r.Median) {
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

// plausible reports whether a figure can be a measurement, and can be reckoned with.
func plausible(v float64) bool { return math.Abs(v) < 1e100 }

// Exact returns the cells of exact figures of a base; of equal rows, that of the latest file.
func (s *Set) Exact(base string) (cells []Cell) {
	var all []Cell
	for _, byBase := range s.byBase {
		all = append(all, byBase[base]...)
	}
	for _, same := range GroupBy(all, Cell.Row) {
		cells = append(cells, same[len(same)-1])
	}
	return cells
}

// Machine is one kind of computer and the files that were made on it.
type Machine struct {
	Name    string
	set     *Set
	sources []int
}

// Machines returns the machines of the files, in order of appearance.
func (s *Set) Machines() []Machine {
	var list []Machine
	for i, source := range s.Sources {
		name := source.Machine()
		at := slices.IndexFunc(list, func(m Machine) bool { return m.Name == name })
		if at < 0 {
			at = len(list)
			list = append(list, Machine{Name: name, set: s})
		}
		list[at].sources = append(list[at].sources, i)
	}
	return list
}

// Machine names the processor, operating system and architecture that the file has.
func (s Source) Machine() string {
	system := s.Config("goos")
	if arch := s.Config("goarch"); arch != "" {
		system += "/" + arch
	}
	parts := slices.DeleteFunc([]string{s.Config("cpu"), system}, func(p string) bool { return p == "" })
	if len(parts) == 0 {
		return "a machine that the file does not name"
	}
	return strings.Join(parts, ", ")
}

// Runs returns the cells of that base file by file, those of files that have none left out.
func (m Machine) Runs(base string) [][]Cell {
	var list [][]Cell
	for _, i := range m.sources {
		if cells := m.set.byBase[i][base]; len(cells) > 0 {
			list = append(list, cells)
		}
	}
	return list
}

// CompareValues orders values of a key: numbers by size, encodings as documented, the rest as text.
func CompareValues(a, b string) int {
	if i, j := slices.Index(encodings, a), slices.Index(encodings, b); i >= 0 && j >= 0 {
		return i - j
	}
	// A shorter number is a smaller one.
	if digits(a) && digits(b) && len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}

var encodings = []string{terms.LE64, terms.BE64, terms.Dec}

func digits(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
}

// GroupBy groups values by key, in order of appearance.
func GroupBy[T any, K comparable](list []T, key func(T) K) (groups [][]T) {
	places := map[K]int{}
	for _, v := range list {
		i, ok := places[key(v)]
		if !ok {
			i = len(groups)
			places[key(v)] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], v)
	}
	return groups
}

// ByNumber compares cells by the number that a key of their names has.
func ByNumber(key string) func(a, b Cell) int {
	return func(a, b Cell) int {
		x, _ := a.Number(key)
		y, _ := b.Number(key)
		return cmp.Compare(x, y)
	}
}
