package index

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
		name   string
		set    *Set
		o      Options
		chosen string
	}{
		{"many", random, Options{K: 3}, "blocks"},
		{"few", newShape(r, shapes[0], 64, 100), Options{K: 3}, "scan"},
		{"none", &Set{Bits: 64}, Options{K: 3}, "scan"},
		{"all within", random, Options{K: 64}, "scan"},
		{"no memory", random, Options{K: 3, Memory: 1000}, "scan"},
		{"memory for two tables", benchSet(300_000), Options{K: 3, Memory: 6_000_000}, "tables-2-choose-1-errors-1"},
		{"memory for parts alone", benchSet(300_000), Options{K: 3, Memory: 2_400_000}, "split"},
		{"all equal", equal, Options{K: 3}, "scan"},
		{"wide", newShape(r, shapes[0], 256, 50_000), Options{K: 3}, "blocks"},
		{"wide and far", newShape(r, shapes[0], 256, 50_000), Options{K: 120}, "scan"},
	} {
		if s := mustNew(t, c.set, c.o); s.Name() != c.chosen {
			t.Errorf("%s: %s, expected %s of %+v", c.name, s.Name(), c.chosen, forecasts(c.set, c.o))
		}
	}
	for _, f := range forecasts(newShape(r, shapes[0], 64, 1000), Options{K: 3}) {
		if f.design != (Design{}) {
			t.Errorf("%s over 1000 fingerprints, where lookups take longer than a scan: expected no forecast", f.name)
		}
	}
	buckets := 4 * 100_000 / math.Exp2(float64(directoryBits(100_000)))
	if f, _ := forecastOf("blocks", random, 3); f.compared < 0.8*buckets || f.compared > 1.25*buckets {
		t.Errorf("random fingerprints: %.0f are compared, expected about %.0f", f.compared, buckets)
	}
	if f, _ := forecastOf("blocks", equal, 3); f.compared < 3.9e5 {
		t.Errorf("equal fingerprints: %.0f are compared, expected 4 times all", f.compared)
	}
	if f, _ := forecastOf("blocks", shared, 3); f.compared < 0.9e5 || choose(shared, Options{K: 3}).name == "blocks" {
		t.Errorf("a block that all share: expected all fingerprints to be compared, and another choice than blocks: %+v", forecasts(shared, Options{K: 3}))
	}
}

func forecastOf(name string, set *Set, k int) (forecast, bool) {
	for _, f := range forecasts(set, Options{K: k}) {
		if f.name == name {
			return f, true
		}
	}
	return forecast{}, false
}

// TestForecastMemory compares the forecast memory of tables with the actual memory.
func TestForecastMemory(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	set := newShape(r, shapes[0], 64, 20_000)
	for _, d := range designsFor(3) {
		s, err := Build(set, Options{Design: d, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if f, _ := forecastTables(set, d, 3, math.Inf(1)); f.bytes != s.Bytes() {
			t.Errorf("%s: %d bytes, expected %d", d, s.Bytes(), f.bytes)
		}
	}
}
