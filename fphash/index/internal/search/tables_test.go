package search

import (
	"context"
	"errors"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"simhashkit/internal/binomial"
	"simhashkit/internal/testing/long"
)

// TestDesigns flips as many bits as a design or a smaller k allows, and checks that one of the
// searched tables has a key with no more errors than allowed. The blocks have all bits, each once.
func TestDesigns(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, width := range []int{64, 61, 128, 100} {
		for _, d := range designs[1:] {
			set := Fingerprints{Bits: width}
			tables, none := newTables(set, d), make([]uint64, set.stride())
			least, most, end := width, 0, 0
			for i := range tables {
				if tables[i].from != end {
					t.Errorf("%s: block %d begins at %d, expected %d", d, i, tables[i].from, end)
				}
				end = tables[i].end
				least, most = min(least, end-tables[i].from), max(most, end-tables[i].from)
			}
			if len(tables) != d.Blocks || end != width || most-least > 1 {
				t.Errorf("%s: %d blocks of %d to %d bits, up to bit %d of %d", d, len(tables), least, most, end, width)
			}
			for k := range d.maxK() + 1 {
				reach, errors := d.reach(k)
				for range 300 {
					differ := changed(r, width, none, k)
					if !slices.ContainsFunc(tables[:reach], func(t table) bool { return t.keyDistance(differ, none) <= errors }) {
						t.Fatalf("%s, %d bits, k = %d: no key of %d has at most %d of %x", d, width, k, reach, errors, differ)
					}
				}
			}
		}
	}
	for _, d := range []Design{{-1, 0}, {65, 0}, {4, -1}, {32, 2}, {0, 1}} {
		if d.Fits(64) {
			t.Errorf("%+v: expected that it does not fit 64 bits", d)
		}
	}
}

// TestWindow checks that a window has the bits of the key on top and other bits below, each once.
func TestWindow(t *testing.T) {
	for _, width := range []int{64, 128, 100, 32, 5, 300} {
		for _, d := range designs[1:] {
			if !d.Fits(width) {
				continue
			}
			set := Fingerprints{Bits: width}
			for _, table := range newTables(set, d) {
				seen := uint64(0)
				for j := range width {
					words := make([]uint64, set.stride())
					words[j/64] = 1 << (j % 64)
					x := table.window(words)
					if bits.OnesCount64(x) > 1 || x&seen != 0 {
						t.Fatalf("%s, %d bits: bit %d is in the window as %x", d, width, j, x)
					}
					seen |= x
					isKey := table.from <= j && j < table.end
					if onTop := x>>(table.windowBits()-table.key) != 0; x != 0 && onTop != isKey && !(isKey && width > 64) {
						t.Fatalf("%s, %d bits: bit %d of the key %v is in the window as %x", d, width, j, isKey, x)
					}
				}
				if seen != ^uint64(0)>>(64-min(width, 64)) {
					t.Fatalf("%s, %d bits: the window has the bits %x", d, width, seen)
				}
			}
		}
	}
}

// TestEnumerations compares the enumerated sets of bits with all such sets.
func TestEnumerations(t *testing.T) {
	for width := range 9 {
		for n := range 5 {
			var got, want []uint64
			for s, more := uint64(0), true; more; s, more = nextErrors(s, width, n) {
				got = append(got, s)
			}
			for s := range uint64(1) << width {
				if bits.OnesCount64(s) <= n {
					want = append(want, s)
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, want) || float64(len(got)) != binomial.Ball(width, n) {
				t.Errorf("at most %d of %d bits: %b, expected %b and %v of them", n, width, got, want, binomial.Ball(width, n))
			}
		}
	}
}

// TestLargeTables compares tables that are built in several partitions by several workers with a
// scan.
func TestLargeTables(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	n := 150_000
	if long.Enabled() {
		n = 300_000
	}
	for _, shape := range shapes[:2] {
		set := newShape(r, shape, 64, n)
		scan := mustBuild(t, set, Design{}, 0)
		for _, d := range []Design{{4, 0}, {2, 1}} {
			s := mustBuild(t, set, d, 3)
			for _, q := range queriesFor(r, set, 100, 3) {
				want, _ := scan.AppendWithin(nil, q, 3)
				if got, err := s.AppendWithin(nil, q, 3); err != nil || !slices.Equal(got, want) {
					t.Errorf("%s: %v, %v, expected %v", d, got, err, want)
				}
			}
		}
	}
}

// TestManyBuckets compares tables with the oracle when a query would look up thousands of buckets.
func TestManyBuckets(t *testing.T) {
	r := rand.New(rand.NewPCG(28, 29))
	set := newShape(r, shapes[1], 64, 20_000)
	s := mustBuild(t, set, Design{Blocks: 3, Errors: 10}, 0)
	if n := s.probes(s.design.reach(30)); n <= mostProbes {
		t.Errorf("%.0f buckets are looked up, expected more than %d", n, mostProbes)
	}
	compareWithOracle(t, s, queriesFor(r, set, 10, 30), []int{30})
}

// When the context ends, building tables ends with its cause.
func TestTablesEndWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	cancel(cause)
	set := Fingerprints{Bits: 64, Words: make([]uint64, 100)}
	if _, err := BuildDesign(ctx, set, Design{Blocks: 4}, 1); !errors.Is(err, cause) {
		t.Errorf("%v, want the cause", err)
	}
}
