package hamming

import (
	"slices"
	"testing"
)

// A batch gives what single scans give, query by query: with fewer fingerprints than a tile, with
// several tiles, and with so many matches that the buffer must grow.
func TestBatchEqualsSingleScans(t *testing.T) {
	onTiers(t, func(t *testing.T) {
		r := seeded(t)
		for _, words := range []int{1, 2, 3, 5, 8} {
			for _, n := range []int{0, 1, 100, tileWords / words, tileWords/words + 1, 3*tileWords/words + 11} {
				queries := randomWords(r, 7*words)
				copy(queries[2*words:3*words], queries[5*words:6*words]) // the same query twice
				fingerprints := make([]uint64, n*words)
				fill(r, fingerprints, queries[words*r.IntN(7):][:words], 40)
				for _, count := range []int{0, 1, 7} {
					for _, k := range []int{-1, 3 * words, 29 * words} {
						// what is there already stays as it is
						want := []QueryMatch{{9, Match{9, 9}}, {1, Match{1, 1}}}
						for q := range count {
							for _, m := range AppendWithin(nil, fingerprints, queries[q*words:(q+1)*words], k) {
								want = append(want, QueryMatch{q, m})
							}
						}
						got := AppendWithinBatch(slices.Clone(want[:2]), fingerprints, queries[:count*words], words, k)
						if !slices.Equal(got, want) {
							t.Fatalf("words=%d n=%d queries=%d k=%d: %d matches, want %d, or another order", words, n, count, k, len(got), len(want))
						}
					}
				}
			}
		}
	})
}
