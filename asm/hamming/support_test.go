package hamming

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/cases"
	"simhashkit/asm/internal/kernels"
)

// withinOracle is the definition of a scan. Do not change it.
func withinOracle(fingerprints, query []uint64, k int) (matches []Match) {
	for i := 0; i < len(fingerprints); i += len(query) {
		if d := distanceOracle(fingerprints[i:i+len(query)], query); d <= k {
			matches = append(matches, Match{i / len(query), d})
		}
	}
	return matches
}

// seeded returns the source of random numbers for a test.
var seeded = cases.Seeded

func randomWords(r *rand.Rand, n int) []uint64 {
	words := make([]uint64, n)
	for i := range words {
		words[i] = r.Uint64()
	}
	return words
}

// fill stores fingerprints. On average, one of every is within a few bits of the query. The others
// are of one kind: random; differing from the query in a quarter of the bits at random; the query
// with the upper or the lower half of each word inverted, alternately, so that neighbours share no
// difference; or the query's complement.
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

var scans = kernels.List(scanKernels, func(tier cpu.Tier) scan {
	return func(dst []Match, fingerprints, query []uint64, k int) []Match {
		return appendWithin(tier, dst, fingerprints, query, k)
	}
})

// onScans runs body on every kernel that can run here, and on the dispatch at every tier.
func onScans(t *testing.T, body func(t *testing.T, appendWithin scan)) {
	kernels.OnEach(t, "", scans, AppendWithin, body)
}

// onTiers runs body with the dispatch limited to each tier that can run here.
func onTiers(t *testing.T, body func(t *testing.T)) { kernels.OnTiers(t, "dispatch=", body) }

// appended runs a scan on a list that is not empty, and returns the appended matches. It returns an
// error if the scan changes the old contents.
func appended(appendWithin func(dst []Match) []Match) ([]Match, error) {
	before := []Match{{-7, -7}}
	got := appendWithin(slices.Clone(before))
	if len(got) == 0 || got[0] != before[0] {
		return nil, fmt.Errorf("the scan changed the start of the list to %v", got[:min(len(got), 1)])
	}
	return got[1:], nil
}

func TestMisuse(t *testing.T) {
	onTiers(t, func(t *testing.T) {
		for _, c := range []struct {
			name, want string
			call       func()
		}{
			{"no query", "1 words are not a whole number of fingerprints of 0 words", func() { AppendWithin(nil, []uint64{1}, nil, 3) }},
			{"part of a fingerprint", "3 words are not a whole number of fingerprints of 2 words", func() { AppendWithin(nil, []uint64{1, 2, 3}, []uint64{1, 2}, 3) }},
			{"batch of no words", "of 0 words", func() { AppendWithinBatch(nil, nil, nil, 0, 3) }},
			{"batch, part of a fingerprint", "3 and 2 words", func() { AppendWithinBatch(nil, make([]uint64, 3), make([]uint64, 2), 2, 3) }},
			{"batch, part of a query", "2 and 3 words", func() { AppendWithinBatch(nil, make([]uint64, 2), make([]uint64, 3), 2, 3) }},
		} {
			value := kernels.PanicOf(c.call)
			if value == nil || !strings.Contains(fmt.Sprint(value), c.want) {
				t.Errorf("%s: panic %v, want one that contains %q", c.name, value, c.want)
			}
		}
	})
}

// TestNoHiddenAllocation checks that scans and joins do not allocate if the list is large enough.
func TestNoHiddenAllocation(t *testing.T) {
	r := seeded(t)
	joined := randomWords32(r, 1500)
	plantNear(r, joined, 30)
	pairs := make([]NearPair, 0, len(joined)*len(joined))
	onTiers(t, func(t *testing.T) {
		for name, call := range map[string]func(){
			"AppendNear":           func() { AppendNear(pairs, joined[:20], joined, 5) },
			"AppendNear, few rows": func() { AppendNear(pairs, joined[:3], joined, 5) },
			"AppendNearPairs":      func() { AppendNearPairs(pairs, joined[:200], 5) },
		} {
			if n := testing.AllocsPerRun(5, call); n != 0 {
				t.Errorf("%s: %v allocations", name, n)
			}
		}
		for _, words := range []int{1, 2, 3, 64} {
			queries := randomWords(r, 2*words)
			fingerprints := make([]uint64, 200*words)
			fill(r, fingerprints, queries[:words], 10)
			matches, queryMatches := make([]Match, 0, len(fingerprints)), make([]QueryMatch, 0, 2*len(fingerprints))
			for name, call := range map[string]func(){
				"AppendWithin":      func() { AppendWithin(matches, fingerprints, queries[:words], 3) },
				"AppendWithinBatch": func() { AppendWithinBatch(queryMatches, fingerprints, queries, words, 1) },
				"Read":              func() { Read(fingerprints) },
			} {
				if n := testing.AllocsPerRun(5, call); n != 0 {
					t.Errorf("%s, %d words: %v allocations", name, words, n)
				}
			}
		}
	})
}
