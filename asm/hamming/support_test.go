package hamming

import (
	"fmt"
	"math/rand/v2"
	"slices"
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
	wholeScans = kernels.List(ScanKernels(), func(k ScanKernel) (cpu.Kernel, scan) { return k.Kernel, ofWhole(k.AppendWithin) })
	splitScans = kernels.List(SplitKernels(), func(k SplitKernel) (cpu.Kernel, scan) { return k.Kernel, ofSplit(k.AppendWithin) })

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
