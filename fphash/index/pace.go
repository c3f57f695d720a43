package index

import (
	"math"
	"math/rand/v2"
	"sync"
	"time"
)

// pace is how many times as long as on the machine of the costs each kind of work takes here, by
// queries of tables in the cache, of tables in memory, and of a scan. It is measured, in a quarter
// of a second, when Explain is first called.
var pace = sync.OnceValue(func() work {
	const k = 3
	set := &Set{Bits: 64, Words: make([]uint64, 1<<20)}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range set.Words {
		set.Words[i] = r.Uint64()
	}
	few := &Set{Bits: 64, Words: set.Words[:1<<16]}
	tablesOf := func(set *Set) work { return forecastTables(set, pigeonhole(k), k, math.Inf(1)).work }

	p, w := reference, tablesOf(few)
	p.near = queryTime(few, Options{Structure: "blocks", K: k}, 500) / w.near
	w = tablesOf(set)
	p.far = (queryTime(set, Options{Structure: "blocks", K: k}, 500) - w.near*p.near) / w.far
	w = scanWork(set)
	p.stream = (queryTime(set, Options{Structure: "scan", K: k}, 1) - w.near*p.near) / w.stream
	return p
})

// queryTime returns how many nanoseconds a query takes: the least of some rounds, none of which
// asks for what another does.
func queryTime(set *Set, o Options, queries int) float64 {
	s, err := build(set, o)
	if err != nil {
		panic(err) // the arguments are this package's own
	}
	const rounds = 15
	least := time.Duration(math.MaxInt64)
	var found []Match
	for round := range rounds {
		start := time.Now()
		for i := range queries {
			at := (round*queries + i) * 7919 % set.Len()
			found, _ = s.AppendWithin(found[:0], Query{Words: set.At(at)}, o.K)
		}
		least = min(least, time.Since(start))
	}
	return float64(least) / float64(queries)
}
