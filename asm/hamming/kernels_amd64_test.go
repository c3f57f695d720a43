//go:build !purego

package hamming

import (
	"slices"
	"testing"

	"simhashkit/asm/cpu"
)

// The kernels may only let too many candidates through to the Go code, never too few, and results would not show it: so they are held to what they
// promise one by one.

func TestCandidateKernelsWorkLikeGeneric(t *testing.T) {
	r := seeded(t)
	for _, tier := range cpu.Supported() {
		for _, lines := range []int{1, 2, 5, linesOfList} {
			for _, limit := range []uint16{0, 3, 5, 10, 16, 31, 32} {
				query := [2]uint16{uint16(r.Uint32()), uint16(r.Uint32())}
				first, second := make([]uint16, lines*quartersOfLine), make([]uint16, lines*quartersOfLine)
				for i := range first {
					first[i], second[i] = uint16(r.Uint32()), uint16(r.Uint32())
					if r.IntN(3) == 0 {
						first[i] = query[0] ^ 1<<r.IntN(16)
						second[i] = query[1] ^ uint16(r.Uint32()&r.Uint32()&r.Uint32())
					}
				}
				var want, got [linesOfList]uint64
				wanted := candidatesGeneric(&want, first, second, &query, limit)
				listed := candidates(tier, &got, first, second, &query, limit)
				if !slices.Equal(got[:listed], want[:wanted]) {
					t.Fatalf("%v, %d lines, limit %d: %x, want %x", tier, lines, limit, got[:listed], want[:wanted])
				}
			}
		}
	}
}

// A single word at every position that is within the limit, at its edge or just beyond, among words that differ in all bits.
func TestPeriodicKernelsStopWhereTheyShould(t *testing.T) {
	r := seeded(t)
	for _, tier := range cpu.Supported() {
		if tier == cpu.Generic {
			continue
		}
		for _, words := range []int{3, 5, 6, 16, 64} {
			pattern := make([]uint64, periodOf(words))
			query := randomWords(r, words)
			for i := range pattern {
				pattern[i] = query[i%words]
			}
			step := 2 * len(pattern)
			fingerprints := make([]uint64, 3*step+len(pattern))
			for i := range fingerprints {
				fingerprints[i] = ^pattern[i%len(pattern)]
			}
			for _, limit := range []uint64{0, 3, 5, 6, 20, 63} {
				for i := range fingerprints {
					for differ := limit; differ <= limit+1; differ++ {
						kept := fingerprints[i]
						fingerprints[i] = pattern[i%len(pattern)] ^ (1<<differ - 1)
						got := nearPeriodic(tier, fingerprints, pattern, limit)
						fingerprints[i] = kept
						want := 3 * step // nothing found: what is left is less than a step
						if differ == limit {
							want = min(i/step*step, want)
						}
						if got != want {
							t.Fatalf("%v: words=%d limit=%d, a word that differs in %d bits at %d: stopped at %d, want %d", tier, words, limit, differ, i, got, want)
						}
					}
				}
			}
		}
	}
}
