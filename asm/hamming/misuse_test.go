package hamming

import (
	"fmt"
	"strings"
	"testing"

	"simhashkit/asm/internal/kernels"
)

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
			{"planes of no bits", "planes of 0 bits, expected 64", func() { NewPlanes(0) }},
			{"planes of part of a word", "planes of 96 bits, expected 64", func() { NewPlanes(96) }},
			{"planes of too many bits", "planes of 320 bits, expected 64", func() { NewPlanes(320) }},
			{"planes, part of a fingerprint", "3 words are no whole number of fingerprints of 2 words", func() { NewPlanes(128).Append(1, 2, 3) }},
			{"planes, query of another width", "a query of 1 words for planes of 128 bits", func() { NewPlanes(128).AppendWithin(nil, []uint64{1}, -1) }},
			{"planes, no such position", "fingerprint 0 of 0", func() { NewPlanes(64).At(nil, 0) }},
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
			if words <= 3 {
				p := planesOf(words, fingerprints)
				matches := make([]Match, 0, len(fingerprints))
				for _, k := range []int{3, 64 * words} {
					if n := testing.AllocsPerRun(5, func() { p.AppendWithin(matches, queries[:words], k) }); n != 0 {
						t.Errorf("Planes.AppendWithin, %d words, k=%d: %v allocations", words, k, n)
					}
				}
			}
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
