package index

import (
	"fmt"
	"runtime"
	"strings"
)

// Structure finds the stored fingerprints near a query. Its results are exact: the same as
// comparing all fingerprints with the query, with each match once. [Build] makes a Structure from a
// [Set]. It does not change, so it is safe for concurrent use. Only this package implements
// Structure, and later versions may add methods.
type Structure interface {
	Name() string // name: scan, split, blocks, manku10 and so on
	Set() *Set    // the fingerprints that it searches
	Bytes() int64 // bytes of memory in addition to the set, accurate to some kB
	MaxK() int    // the largest distance that it can search

	// AppendWithin appends to dst a Match for every stored fingerprint within k bits of the query,
	// in ascending order of position. The error is ErrQuery, ErrDistance or fphash.ErrMismatch; on
	// error, dst is unchanged.
	AppendWithin(dst []Match, query Query, k int) ([]Match, error)

	// AppendWithinBatch appends the matches of several queries, in the order of the queries. It is
	// faster than calling AppendWithin for each.
	AppendWithinBatch(dst []QueryMatch, queries []Query, k int) ([]QueryMatch, error)
}

// Options determine how a [Structure] is built.
type Options struct {
	// Structure is the name of a structure: scan, split, blocks, manku4, manku10, manku16
	// or manku20. Empty means auto: the structure with the fastest expected queries.
	Structure string

	// Design is the design of permuted tables, if Structure is empty. The zero Design means none.
	Design Design

	K int // largest distance of queries

	// Memory limits the structures that auto may build, in bytes as returned by Structure.Bytes; 0
	// means no limit. During the build, tables need 10 more bytes per entry.
	Memory int64

	Workers int // number of goroutines of the build; 0 means one per processor

	inFile   bool // only structures for a file: tables or a scan
	scanless bool // for tests: build even small levels of an index
}

func names() []string {
	return []string{"auto", "scan", "split", "blocks", "manku4", "manku10", "manku16", "manku20"}
}

// Build builds a structure over a set, which must not change afterwards.
func Build(set *Set, o Options) (Structure, error) {
	if err := checkFor(set, o); err != nil {
		return nil, err
	}
	s, err := build(set, o)
	if err != nil {
		return nil, err
	}
	if s.MaxK() < o.K {
		return nil, fmt.Errorf("%w: %d, expected 0 to %d, the largest of %s over %d bits", ErrDistance, o.K, s.MaxK(), s.Name(), set.Bits)
	}
	return s, nil
}

// checkFor returns an error if the set or Options.K is invalid.
func checkFor(set *Set, o Options) error {
	if err := set.Check(); err != nil {
		return err
	}
	if o.K < 0 || o.K > set.Bits {
		return fmt.Errorf("%w: %d, expected 0 to %d", ErrDistance, o.K, set.Bits)
	}
	return nil
}

func build(set *Set, o Options) (Structure, error) {
	if o.Design != (Design{}) {
		if o.Structure != "" {
			return nil, fmt.Errorf("index: structure %q and a design, expected one of the two", o.Structure)
		}
		return newTables(o.Design.String(), set, o.Design, o.workers())
	}
	switch o.Structure {
	case "", "auto":
		return choose(set, o).build(set, o)
	case "scan":
		return newScan(set), nil
	case "split":
		return newSplit(set)
	case "blocks":
		return newTables("blocks", set, pigeonhole(o.K), o.workers())
	}
	if design, ok := presets[o.Structure]; ok {
		return newTables(o.Structure, set, design, o.workers())
	}
	return nil, fmt.Errorf("index: structure %q, expected one of %s", o.Structure, strings.Join(names(), ", "))
}

func (o Options) workers() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return runtime.GOMAXPROCS(0)
}
