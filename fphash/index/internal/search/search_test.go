package search

import (
	"cmp"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"simhashkit/asm/hamming"
	"simhashkit/internal/testing/long"
)

// distanceOracle is the definition of the distance, bit by bit. It is an oracle: do not change it.
func distanceOracle(width int, a, b []uint64) (n int) {
	bit := func(words []uint64, j int) bool { return words[j/64]>>(j%64)&1 != 0 }
	for j := range width {
		if bit(a, j) != bit(b, j) {
			n++
		}
	}
	return n
}

// allOracle compares the query with every fingerprint. It returns the matches at any distance.
func allOracle(set Fingerprints, query []uint64) (matches []hamming.Match) {
	for i := range set.len() {
		matches = append(matches, hamming.Match{Index: i, Distance: distanceOracle(set.Bits, query, set.at(i))})
	}
	return matches
}

// within returns the matches within k.
func within(matches []hamming.Match, k int) []hamming.Match {
	return slices.DeleteFunc(slices.Clone(matches), func(m hamming.Match) bool { return m.Distance > k })
}

// A shape is a kind of set for testing structures.
type shape struct {
	name string
	next func(r *rand.Rand, set Fingerprints, centre []uint64) []uint64
}

// shapes lists kinds of sets for which searches differ: most have pairs at every small distance.
var shapes = []shape{
	{"random", func(r *rand.Rand, set Fingerprints, _ []uint64) []uint64 { return randomWords(r, set.Bits) }},
	{"planted", func(r *rand.Rand, set Fingerprints, _ []uint64) []uint64 {
		if n := set.len(); n%3 > 0 {
			return changed(r, set.Bits, set.at(r.IntN(n)), r.IntN(6))
		}
		return randomWords(r, set.Bits)
	}},
	{"clustered", func(r *rand.Rand, set Fingerprints, centre []uint64) []uint64 {
		return changed(r, set.Bits, centre, r.IntN(5))
	}},
	{"all equal", func(_ *rand.Rand, _ Fingerprints, centre []uint64) []uint64 { return centre }},
	{"half equal", func(r *rand.Rand, set Fingerprints, centre []uint64) []uint64 {
		if set.len()%2 == 0 {
			return centre
		}
		return randomWords(r, set.Bits)
	}},
	{"one block shared", func(r *rand.Rand, set Fingerprints, centre []uint64) []uint64 {
		words := randomWords(r, set.Bits)
		for j := set.Bits / 4; j < set.Bits/2; j++ {
			words[j/64] ^= (words[j/64] ^ centre[j/64]) & (1 << (j % 64))
		}
		return words
	}},
}

func randomWords(r *rand.Rand, width int) []uint64 {
	words := make([]uint64, (width+63)/64)
	for i := range words {
		words[i] = r.Uint64()
	}
	words[len(words)-1] &= ^uint64(0) >> (uint(-width) % 64)
	return words
}

// changed returns a copy of words in which n bits are flipped.
func changed(r *rand.Rand, width int, words []uint64, n int) []uint64 {
	words = slices.Clone(words)
	for _, j := range r.Perm(width)[:min(n, width)] {
		words[j/64] ^= 1 << (j % 64)
	}
	return words
}

func newShape(r *rand.Rand, s shape, width, n int) Fingerprints {
	set, centre := Fingerprints{Bits: width}, randomWords(r, width)
	for range n {
		set.Words = append(set.Words, s.next(r, set, centre)...)
	}
	return set
}

// queriesFor returns queries with matches in the set, and some without.
func queriesFor(r *rand.Rand, set Fingerprints, n, k int) (queries [][]uint64) {
	for i := range n {
		if i%5 == 4 {
			queries = append(queries, randomWords(r, set.Bits))
		} else {
			queries = append(queries, changed(r, set.Bits, set.at(r.IntN(set.len())), r.IntN(k+2)))
		}
	}
	return queries
}

var designs = []Design{{}, {1, 0}, {4, 0}, {6, 0}, {7, 0}, {3, 1}, {4, 1}, {2, 2}, {2, 3}, {4, 3}}

// allStructures returns the structures of all designs that fit, and the chosen one.
func allStructures(t testing.TB, set Fingerprints) (all []*Structure) {
	t.Helper()
	chosen, err := Build(t.Context(), set, min(3, set.Bits), 0)
	if err != nil {
		t.Fatal(err)
	}
	all = append(all, chosen)
	for _, d := range designs {
		if d.Fits(set.Bits) {
			all = append(all, mustBuild(t, set, d, 2))
		}
	}
	return all
}

func mustBuild(t testing.TB, set Fingerprints, d Design, workers int) *Structure {
	t.Helper()
	s, err := BuildDesign(t.Context(), set, d, workers)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

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
				r := rand.New(rand.NewPCG(uint64(width), uint64(len(shape.name))))
				set := newShape(r, shape, width, 200)
				queries := queriesFor(r, set, 8, 4)
				for _, s := range allStructures(t, set) {
					compareWithOracle(t, s, queries, append([]int{s.MaxK()}, 0, 1, 2, 3, 4, 5, 6))
				}
			})
		}
	}
}

// compareWithOracle compares a structure with the oracle, for every query and every k in ks that
// the structure can search.
func compareWithOracle(t *testing.T, s *Structure, queries [][]uint64, ks []int) {
	t.Helper()
	for i, q := range queries {
		all := allOracle(s.set, q)
		for _, k := range ks {
			if k > s.MaxK() {
				continue
			}
			got, err := s.AppendWithin([]hamming.Match{{Index: 9}}, q, k)
			if want := within(all, k); err != nil || got[0].Index != 9 || !slices.Equal(got[1:], want) {
				t.Fatalf("%s, k = %d, query %d:\n%v, %v, expected\n%v", s.design, k, i, got[1:], err, want)
			}
		}
	}
}

// TestNearest compares Nearest with the oracle, within and beyond the distances of tables.
func TestNearest(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	odd := func(i int) bool { return bits.OnesCount(uint(i))%2 == 1 }
	for _, shape := range shapes {
		set := newShape(r, shape, 64, 300)
		structures := allStructures(t, set)
		for i, q := range queriesFor(r, set, 12, 4) {
			all, allow := allOracle(set, q), (func(int) bool)(nil)
			if i%2 == 0 {
				allow = odd
				all = slices.DeleteFunc(all, func(m hamming.Match) bool { return !odd(m.Index) })
			}
			slices.SortStableFunc(all, func(a, b hamming.Match) int { return cmp.Compare(a.Distance, b.Distance) })
			for _, s := range structures {
				for _, n := range []int{1, 2, 10, 1000} {
					got, err := s.Nearest(q, n, allow)
					if want := all[:min(n, len(all))]; err != nil || !slices.Equal(got, want) {
						t.Fatalf("%s, %s, the %d nearest: %v, %v, expected %v", s.design, shape.name, n, got, err, want)
					}
				}
			}
		}
	}
}

// TestBytes compares the Bytes of structures with their heap memory, also for arrays of several
// huge pages.
func TestBytes(t *testing.T) {
	const roundedUp = 64 << 10 // partly used pages of 8 KiB, and the structure itself
	r := rand.New(rand.NewPCG(40, 41))
	for name, set := range map[string]Fingerprints{
		"random": newShape(r, shapes[0], 64, 600_000), "planted": newShape(r, shapes[1], 64, 30_000), "wide": newShape(r, shapes[0], 192, 50_001),
	} {
		for _, d := range []Design{{}, {4, 0}, {3, 1}} {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.GC() // also frees the memory of pools
			runtime.ReadMemStats(&before)
			s := mustBuild(t, set, d, 1)
			runtime.GC()
			runtime.GC()
			runtime.ReadMemStats(&after)
			if over := int64(after.HeapAlloc) - int64(before.HeapAlloc) - s.Bytes(); over < -roundedUp || over > roundedUp {
				t.Errorf("%s of %s: %d bytes of Bytes, %d more on the heap", d, name, s.Bytes(), over)
			}
			if most := int64(9 * set.len() * d.Blocks); set.Bits == 64 && s.Bytes() > most+roundedUp {
				t.Errorf("%s of %s: %d bytes, expected at most %d", d, name, s.Bytes(), most)
			}
			runtime.KeepAlive(s)
		}
	}
}
