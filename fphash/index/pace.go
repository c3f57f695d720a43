package index

import (
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// pace is how long a nanosecond of the costs takes on this machine: the time of some queries, the
// median of many rounds, over their cost. It is measured, in some 50 ms, when Explain is first
// called. A structure is chosen without it, so that every machine chooses alike.
var pace = sync.OnceValue(func() float64 {
	set := &Set{Bits: 64, Words: make([]uint64, 1<<17)}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range set.Words {
		set.Words[i] = r.Uint64()
	}
	const k, rounds, queries = 3, 200, 1 << 8
	s, err := newTables("blocks", set, Blocks(k), 1)
	if err != nil {
		return 1
	}
	var times [rounds]time.Duration
	var found []Match
	for round := range rounds {
		start := time.Now()
		for i := range queries {
			at := (round*queries + i) * 3 % set.Len()
			found, _ = s.AppendWithin(found[:0], Query{Words: set.At(at)}, k)
		}
		times[round] = time.Since(start)
	}
	slices.Sort(times[:])
	cost := measured.tables(set, Blocks(k), k, measured.scanCost(set))
	return float64(times[rounds/2]) / queries / cost.Nanoseconds
})

// atPace turns costs into times on this machine.
func (e *Explanation) atPace(pace float64) *Explanation {
	for i := range e.Forecasts {
		e.Forecasts[i].Nanoseconds *= pace
	}
	return e
}
