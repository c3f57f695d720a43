package bench

import (
	"fmt"
	"runtime"
	"slices"
	"strconv"

	"simhashkit/asm/cpu"
	"simhashkit/asm/hamming"
	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/terms"
)

// searchCase is what a case of near-duplicate search is made of.
type searchCase struct {
	kind    string // Build, Query, Pairs or Groups
	index   string
	bits, k int
	n       int
	queries int // in one call; 0: one
	cpus    int // 0: one
	skewed  bool
}

// together is the number of fingerprints up to which all structures find room in memory at the same
// time, and are measured in turn.
const together = 1_000_000

func (g *grid) addSearches(p part) {
	if len(p.cpus) == 0 {
		p.cpus = []int{0}
	}
	for _, v := range g.variants(p, searchKernels()) {
		for _, bits := range p.bits {
			for _, k := range p.distances {
				for _, n := range p.sizes {
					for _, index := range p.indexes {
						for _, cpus := range p.cpus {
							g.putSearch(searchCase{p.kind, index, bits, k, n, p.queries, cpus, p.skewed}, v)
						}
					}
				}
			}
		}
	}
}

// searchKernels are the kernels that structures use one or the other of.
func searchKernels() []cpu.Kernel {
	return slices.Concat(rows(hamming.ScanKernels()), rows(hamming.SplitKernels()), rows(hamming.NearKernels()))
}

func (g *grid) putSearch(s searchCase, v variant) {
	if s.cpus > runtime.GOMAXPROCS(0) && !g.AnyCores || !s.exists() {
		return
	}
	c := Case{Name: s.name(v.kernel), Unit: terms.NanosecondsPerOperation, tier: v.tier, stage: s.stage()}
	switch s.kind {
	case terms.Build:
		c.prepare = s.buildTrial
		if s.cpus == 0 {
			c.Counted = []string{terms.BytesPerEntry}
		}
	case terms.Query:
		c.Unit, c.prepare = terms.NanosecondsPerQuery, s.queryTrial
	case terms.AllPairs:
		c.prepare = s.pairsTrial
	case terms.Groups:
		c.prepare = s.groupsTrial
	}
	g.put(c)
}

// exists reports whether there is anything to measure: a scan has no structure to build but the
// fingerprints, and not every build gains from a second core.
func (s searchCase) exists() bool {
	switch {
	case s.kind == terms.Build && s.index == terms.Scan:
		return false
	case s.kind == terms.Build && s.cpus > 1:
		return s.index == terms.Auto || slices.Contains(searchTables, s.index)
	}
	return true
}

func (s searchCase) name(kernel string) benchname.Name {
	pattern := ""
	if s.skewed {
		pattern = terms.Skewed
	}
	return benchname.New(s.kind, "index", s.index, "f", strconv.Itoa(s.bits), "k", strconv.Itoa(s.k), "kernel", kernel,
		"pattern", pattern, "queries", unlessZero(s.queries), "cpus", unlessZero(s.cpus), "n", strconv.Itoa(s.n))
}

// unlessZero is the value of a key that is left out where it is the usual one.
func unlessZero(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// stage is the searches of one collection; or where there is no room for more, those by one
// structure, its builds apart.
func (s searchCase) stage() string {
	if s.n <= together {
		return searchStage(s.bits, s.k, s.n)
	}
	return fmt.Sprint(s.kind == terms.Build, " ", s.index, " ", searchStage(s.bits, s.k, s.n))
}

func searchStage(bits, k, n int) string { return fmt.Sprintf("f=%d k=%d n=%d", bits, k, n) }
