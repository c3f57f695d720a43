package advice

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/bench/terms"
	"simhashkit/internal/gobench/benchname"
)

// Source is a result file and its name.
type Source struct {
	Name string
	File resultfile.File
}

// Bounded reports whether f has an interval, which takes enough samples.
func Bounded(f resultfile.Figure) bool {
	return plausible(f.Lo) && plausible(f.Hi) && f.Lo < f.Hi
}

// Cell holds all values of one benchmark in one file.
type Cell struct {
	Name    benchname.Name
	Source  int // index of the file
	figures map[string]resultfile.Figure
	samples map[string][]resultfile.Sample
}

// Get returns the value of a unit with its interval, and false if the cell has none. Medians are
// finite.
func (c Cell) Get(unit string) (resultfile.Figure, bool) {
	f, ok := c.figures[unit]
	return f, ok
}

// Value returns the median of a unit, and false if the cell has none.
func (c Cell) Value(unit string) (float64, bool) {
	f, ok := c.figures[unit]
	return f.Median, ok
}

// Number returns the numeric value of a key of the name, and false if it is not a number.
func (c Cell) Number(key string) (float64, bool) {
	v, err := strconv.ParseFloat(c.Name.Get(key), 64)
	return v, err == nil && plausible(v)
}

// Encoding returns the encoding of the index, which is le64 if the name has none.
func (c Cell) Encoding() string {
	return cmp.Or(c.Name.Get("encoding"), terms.LE64)
}

// Row returns the name with its prefix, as in the file.
func (c Cell) Row() string { return "Benchmark" + c.Name.String() }

// Broken is a cell without results, and the reason.
type Broken struct {
	Cell
	Reason string
}

// Set holds the contents of one or more result files. Exact values of different files can be
// compared. Times can be compared only within a file, whose cases were measured in turn on one
// machine.
type Set struct {
	Sources []Source
	Sketch  string // what hashes are judged for, as in terms.Sketches; "" is simhash
	Broken  []Broken
	Dropped int // number of values that were NaN, infinite or too large
	byBase  []map[string][]Cell
}

// NewSet groups the rows of the sources into cells, in order of appearance.
func NewSet(sources []Source) *Set {
	s := &Set{Sources: sources}
	for i, source := range sources {
		s.add(i, source.File.Rows)
	}
	return s
}

// For returns the set for judging hashes for another kind of sketch.
func (s *Set) For(sketch string) *Set {
	other := *s
	other.Sketch = sketch
	return &other
}

// judges reports whether a row judges a hash for the sketch of the set.
func (s *Set) judges(c Cell) bool {
	return cmp.Or(c.Name.Get("sketch"), terms.SimHash) == cmp.Or(s.Sketch, terms.SimHash) && c.Name.Get("method") == ""
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

// plausible reports whether a value can be a measurement.
func plausible(v float64) bool { return math.Abs(v) < 1e100 }

// Exact returns the cells of a base name from all files. If several have the same name, it returns
// the last one.
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

// Machine returns the processor, operating system and architecture of the file.
func (s Source) Machine() string {
	config := func(name string) string { return resultfile.ValueOf(s.File.Config, name) }
	system := config("goos")
	if arch := config("goarch"); arch != "" {
		system += "/" + arch
	}
	parts := slices.DeleteFunc([]string{config("cpu"), system}, func(p string) bool { return p == "" })
	if len(parts) == 0 {
		return "an unknown machine"
	}
	return strings.Join(parts, ", ")
}

// Runs returns the cells of a base name, grouped by file. Files without such cells are left out.
func (s *Set) Runs(base string) [][]Cell {
	var list [][]Cell
	for _, byBase := range s.byBase {
		if cells := byBase[base]; len(cells) > 0 {
			list = append(list, cells)
		}
	}
	return list
}

// CompareEncodings compares encodings in the order le64, be64, dec, and others as text.
func CompareEncodings(a, b string) int {
	if i, j := slices.Index(encodings, a), slices.Index(encodings, b); i >= 0 && j >= 0 {
		return i - j
	}
	return strings.Compare(a, b)
}

var encodings = []string{terms.LE64, terms.BE64, terms.Dec}

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
