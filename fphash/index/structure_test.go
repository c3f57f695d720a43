package index

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"simhashkit/internal/testing/long"
)

// TestStructures compares every structure with the oracle for every shape of set, for small k and
// the largest.
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
		checkQueries(t, s, queries, oracle, ks)
	}
}

// allStructures returns all structures for fingerprints of the width.
func allStructures(t *testing.T, set *Set) (all []Structure) {
	t.Helper()
	for _, name := range names() {
		o := Options{Structure: name, K: min(3, set.Bits)}
		if design, ok := presets[name]; ok && design.check(set.Bits) != nil {
			continue
		}
		if name == "split" && set.Bits != 64 || name == "blocks" && set.Bits < 4 {
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

// TestMisuse checks that every structure returns a clear error for an invalid query, and leaves dst
// unchanged.
func TestMisuse(t *testing.T) {
	set := &Set{Bits: 100, Words: make([]uint64, 20)}
	one := func(words ...uint64) Query { return Query{Words: words} }
	for _, s := range allStructures(t, set) {
		for _, c := range []struct {
			query Query
			k     int
			is    error
			says  string
		}{
			{one(1), 0, ErrQuery, "1 words, expected the 2 of 100 bits"},
			{one(1, 1<<36), 0, ErrQuery, "bits beyond the width of 100 bits"},
			{one(1, 1), -1, ErrDistance, "-1, expected 0 to "},
			{one(1, 1), s.MaxK() + 1, ErrDistance, "the largest of " + s.Name() + " over 100 bits"},
		} {
			got, err := s.AppendWithin(make([]Match, 3), c.query, c.k)
			if !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) || len(got) != 3 {
				t.Errorf("%s: %d matches, error %v, expected one of %q", s.Name(), len(got), err, c.says)
			}
			each, err := s.AppendWithinBatch(make([]QueryMatch, 3), []Query{one(0, 0), c.query}, c.k)
			if !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) || len(each) != 3 {
				t.Errorf("%s: %d matches, error %v, expected one of %q", s.Name(), len(each), err, c.says)
			}
		}
		if _, err := Nearest(s, one(1), 1); !errors.Is(err, ErrQuery) {
			t.Errorf("%s: error %v, expected ErrQuery", s.Name(), err)
		}
		if _, err := Nearest(s, one(1, 1), 0); err == nil || !strings.Contains(err.Error(), "expected at least 1") {
			t.Errorf("%s: error %v, expected one", s.Name(), err)
		}
	}
}

// TestRefused checks the errors of Build.
func TestRefused(t *testing.T) {
	set := func(width int) *Set { return &Set{Bits: width, Words: make([]uint64, 2*((width+63)/64))} }
	for _, c := range []struct {
		set  *Set
		o    Options
		says string
	}{
		{set(64), Options{Structure: "graph"}, `structure "graph", expected one of auto, scan,`},
		{set(128), Options{Structure: "split"}, "128 bits, expected 64"},
		{set(64), Options{Structure: "manku20", K: 4}, "4, expected 0 to 3, the largest of manku20"},
		{set(64), Options{K: 65}, "65, expected 0 to 64"},
		{set(64), Options{Structure: "blocks", K: 64}, "expected no more than the 64 bits"},
		{&Set{Bits: 64, Words: make([]uint64, 2), IDs: []uint64{4, 4}}, Options{}, "id 4 twice"},
	} {
		if _, err := Build(c.set, c.o); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: error %v, expected one of %q", c.o, err, c.says)
		}
	}
	for _, c := range []struct {
		design Design
		says   string
	}{
		{Design{Blocks: 2, Choose: 3}, "expected at least 1 of as many or more"},
		{Design{Blocks: 5, Choose: 2, Errors: 1}, "expected keys of 1 block where errors are allowed"},
		{Design{Blocks: 5, Choose: 2, Rest: 2}, "expected 1 block where the rest is cut"},
		{Design{Blocks: 65, Choose: 1}, "expected no more than the 64 bits"},
		{Design{Blocks: 32, Choose: 1, Errors: 2}, "2 errors in blocks of 2 bits"},
		{Design{Blocks: 30, Choose: 15}, "155117520 tables, expected at most 1024"},
	} {
		if _, err := Build(set(64), Options{Design: c.design}); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: error %v, expected one of %q", c.design, err, c.says)
		}
	}
}
