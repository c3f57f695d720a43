package index

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

// The designs of Manku, Jain and Das Sarma for 64 bits and distances up to 3, by number of tables.
// That of 4 tables is pigeonhole(3).
var (
	manku10 = Design{Blocks: 5, Choose: 2}
	manku16 = Design{Blocks: 4, Choose: 1, Rest: 4}
	manku20 = Design{Blocks: 6, Choose: 3}
)

// designs lists the designs of the literature and some others.
var designs = []Design{
	{1, 1, 0, 0}, pigeonhole(3), manku10, manku16, manku20, {7, 4, 0, 0}, {3, 1, 2, 0},
	{3, 1, 0, 1}, {2, 1, 0, 2}, {4, 1, 0, 3},
}

// TestDesigns flips as many bits as a design or a smaller k allows, and checks that one of the
// searched tables has a key with no more errors than allowed. It also checks the sizes of keys in
// the literature.
func TestDesigns(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, width := range []int{64, 61, 128, 100} {
		for _, d := range designs {
			keys := d.keys(width)
			if len(keys) != int(d.tables()) {
				t.Fatalf("%v: %d keys, expected %.0f", d, len(keys), d.tables())
			}
			for k := range d.MaxK() + 1 {
				reach, errors := d.reach(k)
				for range 300 {
					differ := changed(r, width, make([]uint64, (width+63)/64), k)
					if !slices.ContainsFunc(keys[:reach], func(key []span) bool { return common(differ, key, width) <= errors }) {
						t.Fatalf("%v, %d bits, k = %d: no key of %d has at most %d of %x", d, width, k, reach, errors, differ)
					}
				}
			}
		}
	}
	for d, want := range map[Design][3]int{pigeonhole(3): {4, 16, 16}, manku10: {10, 25, 26}, manku16: {16, 28, 28}, manku20: {20, 31, 33}} {
		least, most := 64, 0
		keys := d.keys(64)
		for _, key := range keys {
			least, most = min(least, total(key)), max(most, total(key))
		}
		if got := [3]int{len(keys), least, most}; got != want || d.MaxK() != 3 {
			t.Errorf("%s: %d tables of keys of %d to %d bits, expected %v", d, got[0], got[1], got[2], want)
		}
	}
}

func common(words []uint64, key []span, width int) (n int) {
	for w, mask := range keyMask(key, (width+63)/64) {
		n += bits.OnesCount64(words[w] & mask)
	}
	return n
}

// TestWindow checks that a window has the bits of the key on top and other bits below, each once,
// and that the window for a block of a 64-bit fingerprint is a single rotation.
func TestWindow(t *testing.T) {
	for _, width := range []int{64, 128, 100, 32, 5, 300} {
		for _, d := range designs {
			if d.check(width) != nil {
				continue
			}
			for _, key := range d.keys(width) {
				w := newWindow(key, width)
				if d.Choose == 1 && d.Rest == 0 && width == 64 && len(w.pieces) != 1 {
					t.Errorf("%v: %d pieces, expected 1", d, len(w.pieces))
				}
				mask, seen := keyMask(key, (width+63)/64), uint64(0)
				for j := range width {
					words := make([]uint64, (width+63)/64)
					words[j/64] = 1 << (j % 64)
					x := w.of(words)
					if bits.OnesCount64(x) > 1 || x&seen != 0 {
						t.Fatalf("%v, %d bits: bit %d is in the window as %x", d, width, j, x)
					}
					seen |= x
					isKey := mask[j/64]>>(j%64)&1 != 0
					if onTop := x>>(w.width-w.key) != 0; x != 0 && onTop != isKey && !(isKey && width > 64) {
						t.Fatalf("%v, %d bits: bit %d of the key %v is in the window as %x", d, width, j, isKey, x)
					}
				}
				if seen != lastWord(min(width, 64)) {
					t.Fatalf("%v, %d bits: the window has the bits %x", d, width, seen)
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
// scan, and checks their memory.
func TestLargeTables(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	n := 150_000
	if long.Enabled() {
		n = 300_000
	}
	for _, shape := range shapes[:2] {
		set := newShape(r, shape, 64, n)
		compareWithScan(t, set, queriesFor(r, set, 100, 3))
		for _, d := range []Design{pigeonhole(3), manku10} {
			s := mustNew(t, set, Options{design: d, K: 3}).(*tables)
			if entries := int64(n * len(s.list)); s.Bytes() > 9*entries {
				t.Errorf("%s: %d bytes for %d entries, expected at most 9 each", d, s.Bytes(), entries)
			}
		}
	}
}

// TestManyBuckets compares tables with the oracle when a query would look up thousands of buckets.
func TestManyBuckets(t *testing.T) {
	r := rand.New(rand.NewPCG(28, 29))
	set := newShape(r, shapes[1], 64, 20_000)
	queries := queriesFor(r, set, 10, 30)
	s := mustNew(t, set, Options{design: Design{Blocks: 3, Choose: 1, Errors: 10}, K: 30}).(*tables)
	if n := s.probes(s.design.reach(30)); n <= mostProbes {
		t.Errorf("%.0f buckets are looked up, expected more than %d", n, mostProbes)
	}
	var oracle [][]Match
	for _, q := range queries {
		oracle = append(oracle, allOracle(set, q))
	}
	checkQueries(t, s, queries, oracle, []int{30})
}

// compareWithScan checks that tables find the same matches as a scan.
func compareWithScan(t *testing.T, set *Set, queries []Query) {
	t.Helper()
	want, err := newScan(set).AppendWithinBatch(nil, queries, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []Design{pigeonhole(3), manku10} {
		s := mustNew(t, set, Options{design: d, K: 3, Workers: 3})
		got, err := s.AppendWithinBatch(nil, queries, 3)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %d matches, %v, expected %d", d, len(got), err, len(want))
		}
	}
}

func mustNew(t testing.TB, set *Set, o Options) Structure {
	t.Helper()
	s, err := Build(set, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// When the context ends, building tables ends with its cause.
func TestTablesEndWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	cancel(cause)
	set := &Set{Bits: 64, Words: make([]uint64, 100)}
	if _, err := newTables(ctx, set, Design{Blocks: 4, Choose: 1}, 1); !errors.Is(err, cause) {
		t.Errorf("%v, want the cause", err)
	}
}
