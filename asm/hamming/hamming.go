// Package hamming counts differing bits: of two fingerprints, and of one query against many
// fingerprints.
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

// Distance returns the number of bits in which a and b differ. It panics if their lengths differ.
// Cost: about a nanosecond a word or less.
func Distance(a, b []uint64) int {
	if len(a) != len(b) {
		panic(fmt.Sprintf("hamming: fingerprints of %d and %d words", len(a), len(b)))
	}
	d := 0
	for i, x := range a {
		d += bits.OnesCount64(x ^ b[i])
	}
	return d
}

// QueryMatch is a fingerprint within the distance that was asked for of one of several queries.
type QueryMatch struct {
	Query int // the query's position among the queries, from 0
	Match
}

// tileWords is the number of words that all queries are compared with before the next are read: 24
// KiB, which stay in the first-level cache.
const tileWords = 3072

// More matches than manyMatches, and than one in rareMatch pairs, take longer to sort than tiles
// save.
const (
	manyMatches = 4096
	rareMatch   = 1024
)

// AppendWithinBatch appends to dst a QueryMatch for every pair of a query and a fingerprint that
// differ in at most k bits, in ascending order of Query and, for the same query, of Index: what
// AppendWithin gives, query by query. Queries and fingerprints have the given number of words each,
// one after the other. It panics if words is less than 1 or if queries or fingerprints are not a
// whole number of them.
//
// Cost: one pass over the fingerprints, in which each is compared with all queries while it is in
// the cache: several times the speed of single scans of more fingerprints than the cache holds.
// Where more than 1 in 1,024 pairs match it begins anew, with single scans. It allocates where dst
// must grow, and where a query matches more than 64 fingerprints of one tile of 24 KiB.
func AppendWithinBatch(dst []QueryMatch, fingerprints, queries []uint64, words, k int) []QueryMatch {
	if words < 1 || len(fingerprints)%words != 0 || len(queries)%words != 0 {
		panic(fmt.Sprintf("hamming: %d and %d words are no whole numbers of fingerprints of %d words", len(fingerprints), len(queries), words))
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
