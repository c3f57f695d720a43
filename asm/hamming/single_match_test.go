package hamming

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"simhashkit/asm/internal/kernels"
	"simhashkit/asm/internal/registers"
)

// A scan counts a block of fingerprints word by word if any of them may be near. So only a match
// among far fingerprints shows whether the screening misses it, and only differing bits at random
// positions show whether the screening counts each bit once.

// TestASingleMatchIsFound puts one match at each position of some blocks of random fingerprints.
// The match differs from the query in exactly k random bits.
func TestASingleMatchIsFound(t *testing.T) {
	const places = 200
	for _, words := range []int{1, 2, 3, 8, 9} {
		for _, k := range []int{1, 2, 3, 5, 6, 8, 12} {
			r := seeded(t)
			query := randomWords(r, words)
			fingerprints := randomWords(r, places*words)
			matches := randomMatches(r, query, places, k)
			onScans(t, func(t *testing.T, appendWithin scan) {
				var got []Match
				for i, match := range matches {
					at := i % places * words
					saved := slices.Clone(fingerprints[at : at+words])
					copy(fingerprints[at:], match)
					got = appendWithin(got[:0], fingerprints, query, k)
					copy(fingerprints[at:], saved)
					if want := []Match{{i % places, k}}; !slices.Equal(got, want) {
						t.Fatalf("words=%d k=%d: %v, want %v", words, k, got, want)
					}
				}
			})
		}
	}
}

// TestOneWordAloneIsNear puts a match at each position, of which only one word is within the limit
// per word. The other words exceed that limit by one bit.
func TestOneWordAloneIsNear(t *testing.T) {
	const places = 70
	for _, words := range []int{2, 3, 4, 8, 9} {
		for _, limit := range []int{0, 3, 5, 6, 12} {
			r := seeded(t)
			query := randomWords(r, words)
			fingerprints := make([]uint64, places*words)
			for i := range fingerprints {
				fingerprints[i] = ^query[i%words]
			}
			k := words*(limit+1) - 1
			onScans(t, func(t *testing.T, appendWithin scan) {
				var got []Match
				for at := range fingerprints {
					place := at / words
					match := fingerprints[place*words : (place+1)*words]
					for i := range match {
						match[i] = query[i] ^ randomBits(r, limit+1)
					}
					match[at%words] = query[at%words] ^ randomBits(r, limit)
					got = appendWithin(got[:0], fingerprints, query, k)
					for i := range match {
						match[i] = ^query[i]
					}
					if want := []Match{{place, k}}; !slices.Equal(got, want) {
						t.Fatalf("words=%d limit=%d, word %d: %v, want %v", words, limit, at, got, want)
					}
				}
			})
		}
	}
}

// randomBits returns a word with n ones.
func randomBits(r *rand.Rand, n int) (word uint64) {
	for bits.OnesCount64(word) < n {
		word |= 1 << r.IntN(64)
	}
	return word
}

// randomMatches returns four fingerprints for each of the places. They differ from the query in
// exactly k bits: in half of them anywhere, and in the other half within one half of a word.
func randomMatches(r *rand.Rand, query []uint64, places, k int) (matches [][]uint64) {
	for i := range 4 * places {
		match := slices.Clone(query)
		if i/places%2 == 0 {
			for _, b := range r.Perm(64 * len(query))[:k] {
				match[b/64] ^= 1 << (b % 64)
			}
		} else {
			word, half := r.IntN(len(query)), r.IntN(2)*32
			for _, b := range r.Perm(32)[:k] {
				match[word] ^= 1 << (b + half)
			}
		}
		matches = append(matches, match)
	}
	return matches
}

// TestKernelsLeaveTheUpperStateClean checks that every return of a kernel leaves the upper halves
// of the vector registers clean.
func TestKernelsLeaveTheUpperStateClean(t *testing.T) {
	if !registers.UpperKnown() {
		t.Skip("this processor cannot report the register state in use")
	}
	r := seeded(t)
	for _, n := range []int{0, 1, 7, 31, 32, 63, 64, 65, 200, 10_000} {
		for _, words := range []int{1, 2, 3} {
			query := randomWords(r, words)
			fingerprints := make([]uint64, n*words)
			fill(r, fingerprints, query, 50)
			for _, k := range []int{0, 3, 20} {
				onScans(t, func(t *testing.T, appendWithin scan) {
					kernels.LeavesClean(t, n, func() { appendWithin(nil, fingerprints, query, k*words) })
				})
			}
			for _, kernel := range reads {
				if kernel.Available() {
					kernels.LeavesClean(t, n, func() { kernel.Call(fingerprints) })
				}
			}
		}
	}
	for _, n := range []int{0, 1, 3, 4, 8, 9, 16, 17, 32, 200, 1500} {
		words := randomWords32(r, n)
		plantNear(r, words, 30)
		for _, k := range []int{0, 3, 9} {
			onJoins(t, func(t *testing.T, j join) {
				kernels.LeavesClean(t, n, func() { j.pairs(nil, words, k) })
				kernels.LeavesClean(t, n, func() { j.rows(nil, words[:n/2], words, k) })
			})
		}
	}
	for _, n := range []int{4, 17, 56} { // no words are near, so kernels only screen
		words := farWords(8 + n)
		for _, k := range []int{0, 3, 9} {
			onJoins(t, func(t *testing.T, j join) {
				kernels.LeavesClean(t, n, func() { j.pairs(nil, words[8:], k) })
				kernels.LeavesClean(t, n, func() { j.rows(nil, words[:8], words[8:], k) })
			})
		}
	}
}
