package advice

import (
	"slices"
	"strconv"

	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/terms"
)

// Search is what one run measured of the search within k bits of fingerprints of one width.
type Search struct {
	Bits, K, Kernel string
	Sizes           []int    // ascending
	Indexes         []string // the scan first

	cells   map[string]Cell
	latency map[int]Cell
}

// SearchRow names a row of a search.
type SearchRow struct {
	Base, Index string
	Pattern     string // "" for random fingerprints
	CPUs        string // "" for one core
	N           int
}

// searchUnits are the units of the times.
var searchUnits = map[string]string{
	terms.Build: terms.NanosecondsPerOperation, terms.Query: terms.NanosecondsPerQuery,
	terms.AllPairs: terms.NanosecondsPerOperation, terms.Groups: terms.NanosecondsPerOperation,
}

// Searched reports whether a name is of a search of this kit, and not of a benchmark of somebody
// else's that is called Build or Query too.
func Searched(n benchname.Name) bool {
	return searchUnits[n.Base] != "" && n.Get("index") != "" && n.Get("f") != "" && n.Get("k") != "" && n.Get("kernel") != "" && n.Get("n") != ""
}

// Searches returns the searches of a machine, run by run, in order of appearance.
func Searches(m Machine) (list []*Search) {
	type key struct {
		source          int
		bits, k, kernel string
	}
	places := map[key]*Search{}
	latencies := map[int]map[int]Cell{} // by file and size
	for _, run := range m.Runs(terms.MemoryLatency) {
		for _, c := range run {
			if n, err := strconv.Atoi(c.Name.Get("n")); err == nil {
				if latencies[c.Source] == nil {
					latencies[c.Source] = map[int]Cell{}
				}
				latencies[c.Source][n] = c
			}
		}
	}
	for _, base := range []string{terms.Query, terms.Build, terms.AllPairs, terms.Groups} {
		for _, run := range m.Runs(base) {
			for _, c := range run {
				n, err := strconv.Atoi(c.Name.Get("n"))
				time, ok := c.Value(searchUnits[base])
				if !Searched(c.Name) || err != nil || n < 1 || !ok || time <= 0 {
					continue
				}
				at := key{c.Source, c.Name.Get("f"), c.Name.Get("k"), c.Name.Get("kernel")}
				s := places[at]
				if s == nil {
					s = &Search{Bits: at.bits, K: at.k, Kernel: at.kernel, cells: map[string]Cell{}, latency: latencies[c.Source]}
					places[at] = s
					list = append(list, s)
				}
				s.add(c, n)
			}
		}
	}
	return list
}

func (s *Search) add(c Cell, n int) {
	s.cells[c.Name.String()] = c
	if !slices.Contains(s.Sizes, n) {
		s.Sizes = append(s.Sizes, n)
		slices.Sort(s.Sizes)
	}
	index := c.Name.Get("index")
	if !slices.Contains(s.Indexes, index) {
		s.Indexes = append(s.Indexes, index)
		slices.SortStableFunc(s.Indexes, func(a, b string) int { return indexOrder(a) - indexOrder(b) })
	}
}

// indexOrder puts structures that nobody knows behind the others.
func indexOrder(index string) int {
	if i := slices.Index(terms.Indexes, index); i >= 0 {
		return i
	}
	return len(terms.Indexes)
}

// Time returns the time of a row, and false where it was not measured.
func (s *Search) Time(r SearchRow) (Time, bool) {
	c, ok := s.cell(r)
	if !ok {
		return Time{}, false
	}
	f, ok := c.Get(searchUnits[r.Base])
	return Time{f, c, searchUnits[r.Base]}, ok
}

// Latency returns how long a read of as much memory as n fingerprints of 64 bits takes.
func (s *Search) Latency(n int) (Time, bool) {
	c, ok := s.latency[n]
	if !ok {
		return Time{}, false
	}
	f, ok := c.Get(terms.NanosecondsPerRead)
	return Time{f, c, terms.NanosecondsPerRead}, ok
}

func (s *Search) cell(r SearchRow) (Cell, bool) {
	c, ok := s.cells[benchname.New(r.Base, "index", r.Index, "f", s.Bits, "k", s.K, "kernel", s.Kernel, "pattern", r.Pattern, "cpus", r.CPUs, "n", strconv.Itoa(r.N)).String()]
	return c, ok
}
