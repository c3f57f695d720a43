package index

import (
	"context"
	"fmt"
	"runtime"
)

// Structure finds the stored fingerprints near a query. Its results are exact: the same as
// comparing all fingerprints with the query, with each match once. [Build] makes a Structure from a
// [Set]. It does not change, so it is safe for concurrent use. Only this package implements
// Structure, and later versions may add methods.
type Structure interface {
	Name() string // scan, or the form of the tables
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
	K       int // largest distance of queries
	Workers int // number of goroutines of the build; 0 means one per processor

	design   Design // for tests: build these tables, unless it is zero
	scanless bool   // for tests: build even small levels of an index
}

// Build builds the structure over a set with the fastest expected queries. The set must not change
// afterwards. During the build, tables need 10 more bytes per entry.
func Build(set *Set, o Options) (Structure, error) {
	if err := checkFor(set, o); err != nil {
		return nil, err
	}
	return build(context.Background(), set, o)
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

func build(ctx context.Context, set *Set, o Options) (Structure, error) {
	design := o.design
	if design == (Design{}) {
		design = choose(set, o.K).design
	}
	if design == (Design{}) {
		return newScan(set), nil
	}
	return newTables(ctx, set, design, o.workers())
}

func (o Options) workers() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return runtime.GOMAXPROCS(0)
}
