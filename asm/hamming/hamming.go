// Package hamming counts the bits in which two fingerprints differ, and in which one query differs
// from many fingerprints.
//
// A fingerprint is one or more 64-bit words; many fingerprints lie one after the other in one
// slice.
package hamming

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"simhashkit/asm/cpu"
)

// Kernels returns the kernels of an op, fastest first, generic last: scan (AppendWithin), near
// (AppendNear) or read (Read).
func Kernels(op string) []cpu.Tier {
	return slices.Clone(map[string][]cpu.Tier{"scan": scanKernels, "near": nearKernels, "read": readKernels}[op])
}

// distance returns the number of bits in which a and b, which have the same length, differ.
func distance(a, b []uint64) (d int) {
	for i, x := range a {
		d += bits.OnesCount64(x ^ b[i])
	}
	return d
}

// QueryMatch is a fingerprint within the distance of one of several queries.
type QueryMatch struct {
	Query int // the query's position among the queries, from 0
	Match
}

// tileWords is the number of words that all queries are compared with before the next words are
// read: 24 KiB, which stay in the first-level cache.
const tileWords = 3072

// If there are more than manyMatches matches, and more than one in rareMatch pairs, sorting the
// matches takes longer than tiles save.
const (
	manyMatches = 4096
	rareMatch   = 1024
)

// AppendWithinBatch appends to dst a QueryMatch for every pair of a query and a fingerprint that
// differ in at most k bits, in ascending order of Query and, for the same query, of Index. These
// are the matches of AppendWithin, query by query. Queries and fingerprints have the given number
// of words each, and lie one after the other. It panics if words is less than 1, or if the length
// of queries or fingerprints is not a multiple of words.
//
// Cost: one pass over the fingerprints, in which each fingerprint is compared with all queries
// while it is in the cache. For more fingerprints than the cache holds, this is several times as
// fast as single scans. If more than 1 in 1,024 pairs match, it starts again with single scans. It
// allocates if dst must grow, or if a query matches more than 64 fingerprints of one tile of 24
// KiB.
func AppendWithinBatch(dst []QueryMatch, fingerprints, queries []uint64, words, k int) []QueryMatch {
	if words < 1 || len(fingerprints)%words != 0 || len(queries)%words != 0 {
		panic(fmt.Sprintf("hamming: %d and %d words are not whole numbers of fingerprints of %d words", len(fingerprints), len(queries), words))
	}
	tier, start := cpu.Active(), len(dst)
	tile := max(tileWords/words*words, words)
	var buffer [64]Match
	found := buffer[:0]
	compare := func(q, from int) {
		found = appendWithin(tier, found[:0], fingerprints[from:min(from+tile, len(fingerprints))], queries[q:q+words], k)
		for _, m := range found {
			m.Index += from / words
			dst = append(dst, QueryMatch{q / words, m})
		}
	}
	for from := 0; from < len(fingerprints); from += tile {
		for q := 0; q < len(queries); q += words {
			compare(q, from)
		}
		if n := len(dst) - start; n > manyMatches && float64(n)*rareMatch > float64((from+tile)/words)*float64(len(queries)/words) {
			dst = dst[:start]
			for q := 0; q < len(queries); q += words {
				for from := 0; from < len(fingerprints); from += tile {
					compare(q, from)
				}
			}
			return dst
		}
	}
	slices.SortFunc(dst[start:], func(a, b QueryMatch) int { return cmp.Or(cmp.Compare(a.Query, b.Query), cmp.Compare(a.Index, b.Index)) })
	return dst
}

// Match is a fingerprint within the distance of a query.
type Match struct {
	Index    int // its position among the fingerprints, from 0
	Distance int // the number of bits in which it differs from the query
}

// AppendWithin appends to dst a Match for every fingerprint that differs from the query in at most
// k bits, in ascending order of Index. The fingerprints have len(query) words each. A k below 0
// matches nothing, and a k of at least the number of bits matches everything. It panics if query is
// empty, or if the length of fingerprints is not a multiple of len(query).
//
// Cost: one pass over the fingerprints at the speed of memory, and a few nanoseconds per match. It
// is fastest if k is at most 5 bits per word. It slows down if k is so large that many fingerprints
// have a word within k/len(query) bits by chance. From about 20 bits per word on, it computes
// distances one by one.
func AppendWithin(dst []Match, fingerprints, query []uint64, k int) []Match {
	if len(query) == 0 || len(fingerprints)%len(query) != 0 {
		panic(fmt.Sprintf("hamming: %d words are not a whole number of fingerprints of %d words", len(fingerprints), len(query)))
	}
	return appendWithin(cpu.Active(), dst, fingerprints, query, k)
}

func appendWithinGeneric(dst []Match, fingerprints, query []uint64, k int) []Match {
	if len(query) == 1 {
		return appendWithin64Generic(dst, fingerprints, query[0], k)
	}
	return appendEach(dst, fingerprints, 0, query, k)
}

// appendEach computes distances one by one, starting with the fingerprint at word from.
func appendEach(dst []Match, fingerprints []uint64, from int, query []uint64, k int) []Match {
	words, first := len(query), query[0]
	for ; from < len(fingerprints); from += words {
		if bits.OnesCount64(fingerprints[from]^first) > k {
			continue // if k is small, the first word alone rules out nearly all fingerprints
		}
		if d := distance(fingerprints[from:from+words], query); d <= k {
			dst = append(dst, Match{from / words, d})
		}
	}
	return dst
}

func appendWithin64Generic(dst []Match, fingerprints []uint64, query uint64, k int) []Match {
	i := 0
	for ; i+8 <= len(fingerprints); i += 8 {
		f := (*[8]uint64)(fingerprints[i:])
		// The AND of two differences has no more ones than either of them. So one count can rule
		// out both fingerprints, and it seldom lets a pair pass if k is small.
		d0, d1 := bits.OnesCount64((f[0]^query)&(f[1]^query)), bits.OnesCount64((f[2]^query)&(f[3]^query))
		d2, d3 := bits.OnesCount64((f[4]^query)&(f[5]^query)), bits.OnesCount64((f[6]^query)&(f[7]^query))
		if min(d0, d1, d2, d3) > k {
			continue
		}
		dst = appendEach64(dst, fingerprints[:i+8], i, query, k)
	}
	return appendEach64(dst, fingerprints, i, query, k)
}

// appendEach64 is appendEach for fingerprints of one word.
func appendEach64(dst []Match, fingerprints []uint64, from int, query uint64, k int) []Match {
	for i, f := range fingerprints[from:] {
		if d := bits.OnesCount64(f ^ query); d <= k {
			dst = append(dst, Match{from + i, d})
		}
	}
	return dst
}

// Read reads all words and returns their exclusive or. It costs as much as a scan that does nothing
// but read, so it is the upper bound that scans are measured against.
func Read(words []uint64) uint64 { return readAll(cpu.Active(), words) }

func readAll(tier cpu.Tier, words []uint64) uint64 {
	whole := len(words) &^ 63
	return readAt(tier, words[:whole]) ^ readGeneric(words[whole:])
}

func readGeneric(words []uint64) uint64 {
	var a, b, c, d, e, f, g, h uint64
	for len(words) >= 8 {
		w := (*[8]uint64)(words)
		words = words[8:]
		a, b, c, d, e, f, g, h = a^w[0], b^w[1], c^w[2], d^w[3], e^w[4], f^w[5], g^w[6], h^w[7]
	}
	for _, w := range words {
		a ^= w
	}
	return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h
}

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
