package hamming

import (
	"fmt"
	"math/bits"

	"simhashkit/asm/cpu"
)

// Match is a fingerprint within the distance that was asked for.
type Match struct {
	Index    int // its position among the fingerprints, from 0
	Distance int // the number of bits in which it differs from the query
}

// ScanKernel is one implementation of AppendWithin.
type ScanKernel struct {
	cpu.Kernel
	AppendWithin func(dst []Match, fingerprints, query []uint64, k int) []Match
}

// ScanKernels returns the implementations of AppendWithin, fastest first, generic last.
func ScanKernels() (list []ScanKernel) {
	for _, k := range scanKernels {
		list = append(list, ScanKernel{k, func(dst []Match, fingerprints, query []uint64, limit int) []Match {
			return appendWithin(k.Usable(), dst, fingerprints, query, limit)
		}})
	}
	return list
}

// AppendWithin appends to dst a Match for every fingerprint that differs from the query in at most
// k bits, in ascending order of Index. The fingerprints have len(query) words each. A k below 0
// matches nothing, and one from the number of bits on matches everything. It panics if query is
// empty or if fingerprints is not a whole number of them.
//
// Cost: one pass over the fingerprints at the speed of memory, and a few nanoseconds a match. It is
// fastest up to 5 differing bits a word, and slows down where k is so large that many fingerprints
// have a word within k/len(query) bits by chance: from about 20 bits a word on, distances are taken
// one by one.
func AppendWithin(dst []Match, fingerprints, query []uint64, k int) []Match {
	if len(query) == 0 || len(fingerprints)%len(query) != 0 {
		panic(fmt.Sprintf("hamming: %d words are no whole number of fingerprints of %d words", len(fingerprints), len(query)))
	}
	return appendWithin(cpu.Active(), dst, fingerprints, query, k)
}

func appendWithinGeneric(dst []Match, fingerprints, query []uint64, k int) []Match {
	if len(query) == 1 {
		return appendWithin64Generic(dst, fingerprints, query[0], k)
	}
	return appendEach(dst, fingerprints, 0, query, k)
}

// appendEach counts one by one, from the fingerprint that begins at word from on.
func appendEach(dst []Match, fingerprints []uint64, from int, query []uint64, k int) []Match {
	words, first := len(query), query[0]
	for ; from < len(fingerprints); from += words {
		if bits.OnesCount64(fingerprints[from]^first) > k {
			continue // the first word alone rules nearly all out while k is small
		}
		if d := Distance(fingerprints[from:from+words], query); d <= k {
			dst = append(dst, Match{from / words, d})
		}
	}
	return dst
}

func appendWithin64Generic(dst []Match, fingerprints []uint64, query uint64, k int) []Match {
	i := 0
	for ; i+8 <= len(fingerprints); i += 8 {
		f := (*[8]uint64)(fingerprints[i:])
		// What two differences have in common has no more ones than either: one count rules out
		// both, and seldom lets a pair pass while k is small.
		d0, d1 := bits.OnesCount64((f[0]^query)&(f[1]^query)), bits.OnesCount64((f[2]^query)&(f[3]^query))
		d2, d3 := bits.OnesCount64((f[4]^query)&(f[5]^query)), bits.OnesCount64((f[6]^query)&(f[7]^query))
		if min(d0, d1, d2, d3) > k {
			continue
		}
		dst = appendEach64(dst, fingerprints[:i+8], i, query, k)
	}
	return appendEach64(dst, fingerprints, i, query, k)
}

// appendEach64 does the same for fingerprints of one word.
func appendEach64(dst []Match, fingerprints []uint64, from int, query uint64, k int) []Match {
	for i, f := range fingerprints[from:] {
		if d := bits.OnesCount64(f ^ query); d <= k {
			dst = append(dst, Match{from + i, d})
		}
	}
	return dst
}
