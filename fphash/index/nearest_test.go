package index

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestNearest holds the nearest to the oracle: those that the tables find, and those that lie
// beyond what they find.
func TestNearest(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for _, shape := range shapes {
		set := newShape(r, shape, 64, 300)
		structures := allStructures(t, set)
		for _, q := range queriesFor(r, set, 12, 4) {
			all := allOracle(set, q)
			for _, s := range structures {
				for _, n := range []int{1, 2, 10, 1000} {
					got, err := Nearest(s, q, n)
					if want := nearest(slices.Clone(all), n); err != nil || !slices.Equal(got, want) {
						t.Fatalf("%s, %s, the %d nearest: %s, %v, expected %s", s.Name(), shape.name, n, show(got), err, show(want))
					}
				}
			}
		}
	}
}

// TestWithin holds that matches come with the fingerprints that are stored for them, and that one
// may stop.
func TestWithin(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	set := newShape(r, shapes[1], 100, 500)
	q := Query{Words: set.At(0)}
	want := within(allOracle(set, q), 5)
	s := mustNew(t, set, Options{Structure: "blocks", K: 5})
	for limit := range len(want) + 1 {
		matches, err := Within(s, q, 5)
		if err != nil {
			t.Fatal(err)
		}
		var got []Match
		for m, fingerprint := range matches {
			if len(got) == limit {
				break
			}
			if !slices.Equal(fingerprint, set.At(m.Position)) {
				t.Fatalf("position %d with %x", m.Position, fingerprint)
			}
			got = append(got, m)
		}
		if !slices.Equal(got, want[:limit]) {
			t.Fatalf("%s, expected %s", show(got), show(want[:limit]))
		}
	}
}
