package hamming

import (
	"fmt"

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
