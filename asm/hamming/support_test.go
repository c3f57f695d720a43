package hamming

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"simhashkit/asm/internal/kernels"
	"simhashkit/asm/internal/random"
)

// withinOracle is the definition of a scan. Do not alter it.
func withinOracle(fingerprints, query []uint64, k int) (matches []Match) {
	for i := 0; i < len(fingerprints); i += len(query) {
		if d := distanceOracle(fingerprints[i:i+len(query)], query); d <= k {
			matches = append(matches, Match{i / len(query), d})
		}
	}
	return matches
}

// seeded is the source of random numbers of all tests here.
var seeded = random.Seeded

func randomWords(r *rand.Rand, n int) []uint64 {
	words := make([]uint64, n)
	for i := range words {
		words[i] = r.Uint64()
	}
	return words
}

// fill makes fingerprints of which about one in every is as near the query as a few bits, and the
// others are of one of four kinds: random; random with half of the bits as in the query; the query
// but for one half, the upper and the lower by turns, so that neighbours share no difference at
// all; the query's complement.
func fill(r *rand.Rand, fingerprints, query []uint64, every int) {
	words := len(query)
	kind := r.IntN(4)
	for i := 0; i < len(fingerprints); i += words {
		f := fingerprints[i : i+words]
		for j := range f {
			switch kind {
			case 0:
				f[j] = r.Uint64()
			case 1:
				f[j] = query[j] ^ r.Uint64()&r.Uint64()
			case 2:
				f[j] = query[j] ^ 0xFFFFFFFF<<(i/words/(1<<(i/words/64%7))%2*32)
			default:
				f[j] = ^query[j]
			}
		}
		if r.IntN(every) == 0 {
			copy(f, query)
			for range r.IntN(9) {
				f[r.IntN(words)] ^= 1 << r.IntN(64)
			}
		}
	}
}

type scan = func(dst []Match, fingerprints, query []uint64, k int) []Match

// onScans runs body on every kernel that can run here, and on the dispatch at every tier.
func onScans(t *testing.T, body func(t *testing.T, appendWithin scan)) {
	for _, k := range ScanKernels() {
		if k.Available() {
			t.Run(k.Name, func(t *testing.T) { body(t, k.AppendWithin) })
		}
	}
	onTiers(t, func(t *testing.T) { body(t, AppendWithin) })
}

type splitScan = func(dst []Match, s *Split, query uint64, k int) []Match

// onSplitScans does the same for split fingerprints.
func onSplitScans(t *testing.T, body func(t *testing.T, appendWithin splitScan)) {
	for _, k := range SplitKernels() {
		if k.Available() {
			t.Run(k.Name, func(t *testing.T) { body(t, k.AppendWithin) })
		}
	}
	onTiers(t, func(t *testing.T) {
		body(t, func(dst []Match, s *Split, query uint64, k int) []Match { return s.AppendWithin(dst, query, k) })
	})
}

// onTiers runs body with the dispatch capped at every tier that can run here.
func onTiers(t *testing.T, body func(t *testing.T)) { kernels.OnTiers(t, "dispatch=", body) }

// appended runs a scan on a list that holds something already, and returns what came after that.
func appended(appendWithin func(dst []Match) []Match) ([]Match, error) {
	before := []Match{{-7, -7}}
	got := appendWithin(slices.Clone(before))
	if len(got) == 0 || got[0] != before[0] {
		return nil, fmt.Errorf("the list now begins with %v", got[:min(len(got), 1)])
	}
	return got[1:], nil
}
