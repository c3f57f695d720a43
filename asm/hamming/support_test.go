package hamming

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"simhashkit/asm/cpu"
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

// held are fingerprints as kernels take them: whole and, for those of one word, split.
type held struct {
	words []uint64
	split Split
}

func hold(fingerprints []uint64) held {
	h := held{words: fingerprints}
	h.split.Append(fingerprints...)
	return h
}

// part returns those of the words from from to to-1.
func (h held) part(from, to int) held {
	s := &h.split
	return held{h.words[from:to], Split{s.First[from:to], s.Second[from:to], s.High[from:to]}}
}

// set stores words in place of those from word at on.
func (h held) set(at int, words ...uint64) {
	copy(h.words[at:], words)
	for i, w := range words {
		h.split.First[at+i], h.split.Second[at+i], h.split.High[at+i] = uint16(w), uint16(w>>16), uint32(w>>32)
	}
}

type scan = func(dst []Match, fingerprints held, query []uint64, k int) []Match

func ofWhole(f func(dst []Match, fingerprints, query []uint64, k int) []Match) scan {
	return func(dst []Match, fingerprints held, query []uint64, k int) []Match {
		return f(dst, fingerprints.words, query, k)
	}
}

func ofSplit(f func(dst []Match, s *Split, query uint64, k int) []Match) scan {
	return func(dst []Match, fingerprints held, query []uint64, k int) []Match {
		return f(dst, &fingerprints.split, query[0], k)
	}
}

var (
	wholeScans = kernels.List(scanKernels, func(tier cpu.Tier) scan {
		return ofWhole(func(dst []Match, fingerprints, query []uint64, k int) []Match {
			return appendWithin(tier, dst, fingerprints, query, k)
		})
	})
	splitScans = kernels.List(splitKernels, func(tier cpu.Tier) scan {
		return ofSplit(func(dst []Match, s *Split, query uint64, k int) []Match { return s.appendWithin(tier, dst, query, k) })
	})

	wholeDispatch = ofWhole(AppendWithin)
	splitDispatch = ofSplit(func(dst []Match, s *Split, query uint64, k int) []Match { return s.AppendWithin(dst, query, k) })
)

// onScans runs body on every kernel that can run here, and on the dispatch at every tier; for
// fingerprints of one word on those of split fingerprints too.
func onScans(t *testing.T, words int, body func(t *testing.T, appendWithin scan)) {
	kernels.OnEach(t, "", wholeScans, wholeDispatch, body)
	if words == 1 {
		kernels.OnEach(t, "", splitScans, splitDispatch, func(t *testing.T, appendWithin scan) {
			t.Log("the fingerprints are split")
			body(t, appendWithin)
		})
	}
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

func TestMisuse(t *testing.T) {
	onTiers(t, func(t *testing.T) {
		for _, c := range []struct {
			name, want string
			call       func()
		}{
			{"distance of different lengths", "fingerprints of 1 and 0 words", func() { Distance([]uint64{1}, nil) }},
			{"no query", "1 words are no whole number of fingerprints of 0 words", func() { AppendWithin(nil, []uint64{1}, nil, 3) }},
			{"part of a fingerprint", "3 words are no whole number of fingerprints of 2 words", func() { AppendWithin(nil, []uint64{1, 2, 3}, []uint64{1, 2}, 3) }},
			{"batch of no words", "of 0 words", func() { AppendWithinBatch(nil, nil, nil, 0, 3) }},
			{"batch, part of a fingerprint", "3 and 2 words", func() { AppendWithinBatch(nil, make([]uint64, 3), make([]uint64, 2), 2, 3) }},
			{"batch, part of a query", "2 and 3 words", func() { AppendWithinBatch(nil, make([]uint64, 2), make([]uint64, 3), 2, 3) }},
			{"split, short second", "differ in length", func() { (&Split{First: make([]uint16, 1), High: make([]uint32, 1)}).AppendWithin(nil, 0, 3) }},
			{"split, short high", "differ in length", func() { (&Split{First: make([]uint16, 1), Second: make([]uint16, 1)}).AppendWithin(nil, 0, -1) }},
			{"split, no such position", "out of range", func() { new(Split).At(0) }},
		} {
			value := kernels.PanicOf(c.call)
			if value == nil || !strings.Contains(fmt.Sprint(value), c.want) {
				t.Errorf("%s: the panic is %v, want one that says %q", c.name, value, c.want)
			}
		}
	})
}

// Scans and joins into a list that is large enough allocate nothing.
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
			var split Split
			split.Append(fingerprints...)
			matches, queryMatches := make([]Match, 0, len(fingerprints)), make([]QueryMatch, 0, 2*len(fingerprints))
			for name, call := range map[string]func(){
				"AppendWithin":       func() { AppendWithin(matches, fingerprints, queries[:words], 3) },
				"Split.AppendWithin": func() { split.AppendWithin(matches, queries[0], 3) },
				"AppendWithinBatch":  func() { AppendWithinBatch(queryMatches, fingerprints, queries, words, 1) },
				"Read":               func() { Read(fingerprints) },
			} {
				if n := testing.AllocsPerRun(5, call); n != 0 {
					t.Errorf("%s, %d words: %v allocations", name, words, n)
				}
			}
		}
	})
}
