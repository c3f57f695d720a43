package index

import (
	"math/rand/v2"
	"runtime/debug"
	"testing"
)

// TestNoAllocation holds that queries whose results find room do not allocate: plain ones and
// those for keys with errors.
func TestNoAllocation(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector allocates")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // which takes what pools keep
	r := rand.New(rand.NewPCG(5, 6))
	set := newShape(r, shapes[1], 64, 5000)
	queries := queriesFor(r, set, 16, 3)
	matches, each := make([]Match, 0, set.Len()), make([]QueryMatch, 0, set.Len())
	for _, s := range allStructures(t, set) {
		k := min(3, s.MaxK())
		n := testing.AllocsPerRun(10, func() {
			for _, q := range queries {
				matches, _ = s.AppendWithin(matches[:0], q, k)
			}
		})
		if n > 0 {
			t.Errorf("%s: %.0f allocations for %d queries, expected none", s.Name(), n, len(queries))
		}
		if _, ok := s.(*tables); !ok {
			continue // the others copy queries to compare fingerprints with all of them
		}
		if n := testing.AllocsPerRun(10, func() { each, _ = s.AppendWithinBatch(each[:0], queries, k) }); n > 0 {
			t.Errorf("%s: %.0f allocations for a batch, expected none", s.Name(), n)
		}
	}
}
