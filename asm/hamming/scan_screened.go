package hamming

import (
	"math/bits"

	"simhashkit/asm/cpu"
)

const maxPeriod = 512 // words of a pattern, enough for every fingerprint of up to 64 words

// A fingerprint within k bits has a word within k/len(query) bits of the query's word. Kernels
// search for such words, and the code below counts the bits of the fingerprints that they find.
// Kernels compare the fingerprints with a pattern: the query, repeated until it fills whole
// registers.

func appendWithin(tier cpu.Tier, dst []Match, fingerprints, query []uint64, k int) []Match {
	words := len(query)
	switch {
	case k < 0:
		return dst
	case tier == cpu.Generic:
		return appendWithinGeneric(dst, fingerprints, query, k)
	case words == 1:
		return appendWithin64(tier, dst, fingerprints, query[0], k)
	case 8%words == 0:
		return appendWithinShort(tier, dst, fingerprints, query, k)
	case periodOf(words) <= maxPeriod:
		return appendWithinPeriodic(tier, dst, fingerprints, query, k)
	default:
		return appendWithinGeneric(dst, fingerprints, query, k)
	}
}

func appendWithin64(tier cpu.Tier, dst []Match, fingerprints []uint64, query uint64, k int) []Match {
	pattern := [8]uint64{query, query, query, query, query, query, query, query}
	whole := len(fingerprints) &^ 7
	for from := 0; from < whole; {
		at, hits := nearAt(tier, fingerprints[from:whole], &pattern, uint64(k))
		for from += at; hits != 0; hits &= hits - 1 {
			i := from + bits.TrailingZeros64(hits)
			dst = append(dst, Match{i, bits.OnesCount64(fingerprints[i] ^ query)})
		}
		from += 64
	}
	return appendEach64(dst, fingerprints, whole, query, k)
}

// appendWithinShort is for fingerprints of 2, 4 and 8 words.
func appendWithinShort(tier cpu.Tier, dst []Match, fingerprints, query []uint64, k int) []Match {
	words := len(query)
	var pattern [8]uint64
	for i := range pattern {
		pattern[i] = query[i%words]
	}
	whole := len(fingerprints) &^ 7
	for from := 0; from < whole; {
		at, hits := nearAt(tier, fingerprints[from:whole], &pattern, uint64(k/words))
		from += at
		for hits != 0 {
			first := bits.TrailingZeros64(hits) / words * words // the first word of the fingerprint
			hits &^= (1<<words - 1) << first
			dst = appendEach(dst, fingerprints[:from+first+words], from+first, query, k)
		}
		from += 64
	}
	return appendEach(dst, fingerprints, whole, query, k)
}

// periodOf returns the smallest number that is a multiple of words and of 8.
func periodOf(words int) int { return words << (3 - min(bits.TrailingZeros(uint(words)), 3)) }

func appendWithinPeriodic(tier cpu.Tier, dst []Match, fingerprints, query []uint64, k int) []Match {
	words := len(query)
	var buffer [maxPeriod]uint64
	pattern := buffer[:periodOf(words)]
	for i := 0; i < len(pattern); i += words {
		copy(pattern[i:], query)
	}
	for from := 0; from < len(fingerprints); {
		from += nearPeriodicAt(tier, fingerprints[from:], pattern, uint64(k/words))
		end := min(from+2*len(pattern), len(fingerprints))
		dst = appendEach(dst, fingerprints[:end], from, query, k)
		from = end
	}
	return dst
}
