package hamming

import (
	"math/bits"

	"simhashkit/asm/cpu"
)

// Split holds fingerprints of 64 bits, each cut into two quarters and a half that lie in arrays of
// their own, so that a scan for near ones reads little more than the first quarter. The zero value
// is empty and ready to use. The arrays are of equal length, and may lie in a file that is mapped
// into memory.
//
// A match within k bits has at most k differing bits in its first quarter, which of random
// fingerprints 1 in 94 has at k = 3. Only lines of 32 in which one does are read in the second
// quarter too, and the upper half only where both quarters together are within k, which is so for 1
// in 780,000. With vector kernels a scan is therefore faster than one of whole words (AppendWithin)
// up to a k of about 8, where 1 in 290 is read in all parts, and slower from 10 on; in pure Go it
// is slower. Fingerprints that resemble the query more often than random ones do cost more.
type Split struct {
	First, Second []uint16 // bits 0..15 and 16..31
	High          []uint32 // bits 32..63
}

// Append appends fingerprints.
func (s *Split) Append(fingerprints ...uint64) {
	for _, f := range fingerprints {
		s.First, s.Second, s.High = append(s.First, uint16(f)), append(s.Second, uint16(f>>16)), append(s.High, uint32(f>>32))
	}
}

// Len returns the number of fingerprints.
func (s *Split) Len() int { return len(s.First) }

// At returns the fingerprint at position i. It panics if there is none.
func (s *Split) At(i int) uint64 {
	return uint64(s.First[i]) | uint64(s.Second[i])<<16 | uint64(s.High[i])<<32
}

// AppendWithin appends to dst a Match for every fingerprint that differs from the query in at most
// k bits, in ascending order of Index: the same as the function AppendWithin of the same
// fingerprints. It panics if the arrays are not of equal length. Cost: see Split.
func (s *Split) AppendWithin(dst []Match, query uint64, k int) []Match {
	return s.appendWithin(cpu.Active(), dst, query, k)
}

// SplitKernel is one implementation of Split.AppendWithin.
type SplitKernel struct {
	cpu.Kernel
	AppendWithin func(dst []Match, s *Split, query uint64, k int) []Match
}

// SplitKernels returns the implementations of Split.AppendWithin, fastest first, generic last.
func SplitKernels() (list []SplitKernel) {
	for _, k := range splitKernels {
		list = append(list, SplitKernel{k, func(dst []Match, s *Split, query uint64, limit int) []Match {
			return s.appendWithin(k.Usable(), dst, query, limit)
		}})
	}
	return list
}

const (
	quartersOfLine = 32
	linesOfList    = 256
)

func (s *Split) appendWithin(tier cpu.Tier, dst []Match, query uint64, k int) []Match {
	n := len(s.First)
	if len(s.Second) != n || len(s.High) != n {
		panic("hamming: the arrays of a Split differ in length")
	}
	if k < 0 {
		return dst
	}
	quarters, limit := [2]uint16{uint16(query), uint16(query >> 16)}, uint16(min(k, 32))
	var list [linesOfList]uint64
	whole := n &^ (quartersOfLine - 1)
	for from := 0; from < whole; from += linesOfList * quartersOfLine {
		to := min(from+linesOfList*quartersOfLine, whole)
		kept := candidates(tier, &list, s.First[from:to], s.Second[from:to], &quarters, limit)
		for _, entry := range list[:kept] {
			line := from + int(entry>>32)*quartersOfLine
			for hits := uint32(entry); hits != 0; hits &= hits - 1 {
				dst = s.appendIfWithin(dst, line+bits.TrailingZeros32(hits), query, k)
			}
		}
	}
	for i := whole; i < n; i++ {
		dst = s.appendIfWithin(dst, i, query, k)
	}
	return dst
}

func (s *Split) appendIfWithin(dst []Match, i int, query uint64, k int) []Match {
	if d := bits.OnesCount64(s.At(i) ^ query); d <= k {
		dst = append(dst, Match{i, d})
	}
	return dst
}

// candidatesGeneric lists the lines of 32 fingerprints that have candidates, and returns their
// number; a candidate differs from the query's lower half in at most limit bits. An entry is the
// line's number in the upper half, one bit a candidate in the lower. There are 1 to 256 lines, all
// whole.
func candidatesGeneric(list *[linesOfList]uint64, first, second []uint16, query *[2]uint16, limit uint16) (n int) {
	q, most := uint32(query[0])|uint32(query[1])<<16, int(limit)
	for line := 0; line*quartersOfLine < len(first); line++ {
		a, b := (*[quartersOfLine]uint16)(first[line*quartersOfLine:]), (*[quartersOfLine]uint16)(second[line*quartersOfLine:])
		hits := uint32(0)
		for i := range quartersOfLine {
			if bits.OnesCount32((uint32(a[i])|uint32(b[i])<<16)^q) <= most {
				hits |= 1 << i
			}
		}
		if hits != 0 {
			list[n] = uint64(line)<<32 | uint64(hits)
			n++
		}
	}
	return n
}
