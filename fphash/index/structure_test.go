package index

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"simhashkit/internal/testing/long"
)

// TestStructures holds every structure to the oracle on every shape of set, for every k that it
// answers for or the smaller ones and the largest.
func TestStructures(t *testing.T) {
	widths := []int{64, 100}
	if long.Enabled() {
		widths = []int{64, 128, 256, 32, 100, 1}
	}
	for _, width := range widths {
		for _, shape := range shapes {
			t.Run(fmt.Sprintf("%d bits/%s", width, shape.name), func(t *testing.T) {
				t.Parallel()
				testStructures(t, width, shape)
			})
		}
	}
}

func testStructures(t *testing.T, width int, shape shape) {
	r := rand.New(rand.NewPCG(uint64(width), uint64(len(shape.name))))
	n := 100
	if long.Enabled() {
		n = 200
	}
	set := newShape(r, shape, width, n)
	queries := queriesFor(r, set, 8, 4)
	var oracle [][]Match
	for _, q := range queries {
		oracle = append(oracle, allOracle(set, q))
	}
	for _, s := range allStructures(t, set) {
		most := min(6, s.MaxK())
		var ks []int
		for k := range most + 1 {
			ks = append(ks, k)
		}
		if s.MaxK() > most {
			ks = append(ks, s.MaxK())
		}
		holdToOracle(t, s, queries, oracle, ks)
	}
}

// allStructures returns all that fingerprints of the width can have.
func allStructures(t *testing.T, set *Set) (all []Structure) {
	t.Helper()
	for _, name := range names() {
		o := Options{Structure: name, K: min(3, set.Bits)}
		if design, ok := presets[name]; ok && design.check(set.Bits) != nil {
			continue
		}
		if name == "postings" && set.Bits%64 != 0 || name == "split" && set.Bits != 64 || name == "blocks" && set.Bits < 4 {
			continue
		}
		s, err := Build(set, o)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	for _, d := range []Design{{1, 1, 0, 0}, {6, 1, 0, 0}, {7, 2, 0, 0}, {3, 1, 0, 1}, {4, 1, 0, 1}, {2, 1, 0, 3}, {2, 1, 3, 0}} {
		if d.check(set.Bits) != nil {
			continue
		}
		s, err := Build(set, Options{Design: d, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	return all
}
