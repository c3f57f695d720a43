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
	all = append(all, mustNew(t, set, Options{K: min(3, set.Bits)}), newScan(set))
	for _, d := range []Design{
		pigeonhole(3), manku10, manku16, manku20,
		{1, 1, 0, 0}, {6, 1, 0, 0}, {7, 2, 0, 0}, {3, 1, 0, 1}, {4, 1, 0, 1}, {2, 1, 0, 3}, {2, 1, 3, 0},
	} {
		if d.check(set.Bits) == nil {
			all = append(all, mustNew(t, set, Options{design: d, Workers: 2}))
		}
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
		{set(64), Options{K: 65}, "65, expected 0 to 64"},
		{&Set{Bits: 64, Words: make([]uint64, 2), IDs: []uint64{4, 4}}, Options{}, "duplicate id 4"},
	} {
		if _, err := Build(c.set, c.o); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: error %v, expected one of %q", c.o, err, c.says)
		}
	}
	for _, c := range []struct {
		design Design
		says   string
	}{
		{Design{Blocks: 2, Choose: 3}, "invalid design: choose = 3, blocks = 2, errors = 0, rest = 0"},
		{Design{Blocks: 5, Choose: 2, Errors: 1}, "errors = 1 requires choose = 1 and rest = 0"},
		{Design{Blocks: 5, Choose: 2, Rest: 2}, "rest = 2 requires choose = 1, got choose = 2"},
		{Design{Blocks: 65, Choose: 1}, "blocks = 65 and rest = 0 do not fit 64 bits"},
		{Design{Blocks: 32, Choose: 1, Errors: 2}, "errors = 2 in blocks of 2 bits"},
		{Design{Blocks: 30, Choose: 15}, "155117520 tables, want at most 1024"},
	} {
		if err := c.design.check(64); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: error %v, expected one of %q", c.design, err, c.says)
		}
	}
}
