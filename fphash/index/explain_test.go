package index

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestExplain holds what is chosen where there is no doubt about it, and what is said of it.
func TestExplain(t *testing.T) {
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
		{"memory for parts alone", benchSet(300_000), Options{K: 3, Memory: 2_450_000}, "split"},
		{"memory for lists alone", newShape(r, shapes[0], 256, 50_000), Options{K: 20, Memory: 1_700_000}, "postings"},
		{"memory for parts, not for whole lists", benchSet(300_000), Options{K: 3, Memory: 2_400_000}, "split"},
		{"all equal", equal, Options{K: 3}, "scan"},
		{"wide", newShape(r, shapes[0], 256, 50_000), Options{K: 3}, "blocks"},
		{"wide and far", newShape(r, shapes[0], 256, 50_000), Options{K: 120}, "scan"},
	} {
		e, err := Explain(c.set, c.o)
		if err != nil || e.Chosen != c.chosen {
			t.Errorf("%s: %v\n%s\nexpected %s", c.name, err, e, c.chosen)
			continue
		}
		if s := mustNew(t, c.set, c.o); s.Name() != c.chosen {
			t.Errorf("%s: %s was built, expected %s", c.name, s.Name(), c.chosen)
		}
		if !strings.HasPrefix(e.String(), c.chosen+": ") {
			t.Errorf("%s: %s", c.name, e)
		}
		for _, line := range strings.Split(e.String(), "\n") {
			if len(line) > 120 {
				t.Errorf("%s: a line of %d bytes: %s", c.name, len(line), line)
			}
		}
	}
	wide := explain(newShape(r, shapes[0], 256, 100), Options{K: 70})
	if e := wide.find("postings"); e.Excluded == "" {
		t.Error("lists at a distance where they are slow, expected them excluded")
	}
	for _, f := range explain(newShape(r, shapes[0], 64, 1000), Options{K: 3}).Forecasts {
		if f.Design != (Design{}) && (f.Excluded == "" || f.Skew != 0 || f.Bytes == 0) {
			t.Errorf("%s over 1000 fingerprints: %+v, expected it excluded by what it takes at least", f.Name, f)
		}
	}
	if e := explain(random, Options{K: 3}); e.find("blocks").Skew < 0.8 || e.find("blocks").Skew > 1.25 {
		t.Errorf("random fingerprints: skew %.2f, expected about 1", e.find("blocks").Skew)
	}
	if e := explain(equal, Options{K: 3}); e.find("blocks").Compared < 3.9e5 {
		t.Errorf("equal fingerprints: %.0f are compared, expected 4 times all", e.find("blocks").Compared)
	}
	if e := explain(shared, Options{K: 3}); e.find("blocks").Compared < 0.9e5 || e.Chosen == "blocks" {
		t.Errorf("a block that all share: expected another than blocks, and that a query is compared with all:\n%s", e)
	}
}

func (e *Explanation) find(name string) Forecast {
	for _, f := range e.Forecasts {
		if f.Name == name {
			return f
		}
	}
	return Forecast{}
}

// TestForecastMemory holds what tables are expected to need to what they do.
func TestForecastMemory(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	set := newShape(r, shapes[0], 64, 20_000)
	for _, d := range designsFor(3) {
		s, err := Build(set, Options{Design: d, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if f := forecastTables(set, d, 3, math.Inf(1)); f.Bytes != s.Bytes() {
			t.Errorf("%s: %d bytes, expected %d", f.Name, s.Bytes(), f.Bytes)
		}
	}
}

// Forecasts are in ascending order of their costs, also where neighbours differ by less than 0.5.
func TestForecastsAreSorted(t *testing.T) {
	e := Explanation{}
	for i := range 100 {
		e.Forecasts = append(e.Forecasts, Forecast{cost: float64(i*37%100) / 4})
	}
	e.sort()
	if !slices.IsSortedFunc(e.Forecasts, func(a, b Forecast) int { return cmp.Compare(a.cost, b.cost) }) {
		t.Errorf("not in order: %v", e.Forecasts)
	}
}
