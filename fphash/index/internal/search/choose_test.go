package search

import (
	"math"
	"math/rand/v2"
	"testing"
)

// In clear cases, the right structure is chosen.
func TestChoice(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	random := newShape(r, shapes[0], 64, 100_000)
	equal := newShape(r, shapes[3], 64, 100_000)
	shared := newShape(r, shapes[5], 64, 100_000)
	for _, c := range []struct {
		name string
		set  Fingerprints
		k    int
		want Design
	}{
		{"many", random, 3, Design{4, 0}},
		{"few", newShape(r, shapes[0], 64, 100), 3, Design{}},
		{"none", Fingerprints{Bits: 64}, 3, Design{}},
		{"all within", random, 64, Design{}},
		{"all equal", equal, 3, Design{}},
		{"a block that all share", shared, 3, Design{}},
		{"wide", newShape(r, shapes[0], 256, 50_000), 3, Design{4, 0}},
		{"wide and far", newShape(r, shapes[0], 256, 50_000), 120, Design{}},
		{"far for blocks without errors", newShape(r, shapes[0], 128, 1_000_000), 13, Design{7, 1}},
	} {
		if d := choose(c.set, c.k); d != c.want {
			t.Errorf("%s: %s, expected %s", c.name, d, c.want)
		}
	}
	limit := math.Inf(1)
	if buckets := 4 * 100_000 / math.Exp2(float64(directoryBits(100_000))); math.Abs(tablesCost(random, Design{4, 0}, 3, limit)-costOfQuery-4*costOfShared-costOfScreen*buckets) > costOfScreen*buckets/2 {
		t.Errorf("random fingerprints: a cost of %.0f", tablesCost(random, Design{4, 0}, 3, limit))
	}
	if cost := tablesCost(equal, Design{4, 0}, 3, limit); cost < 3.9e5*costOfScreen {
		t.Errorf("equal fingerprints: a cost of %.0f, expected that of comparing 4 times all", cost)
	}
}
