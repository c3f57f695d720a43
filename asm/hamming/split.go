package hamming

import (
	"math/bits"
	"slices"

	"simhashkit/asm/cpu"
)

// Split holds 64-bit fingerprints, each cut into two quarters and a half. The parts are in three
// arrays, so that a scan for near fingerprints reads little more than the first quarters. The zero
// value is empty and ready to use. The arrays have equal lengths, and may lie in a file that is
// mapped into memory.
//
// A match within k bits has at most k differing bits in its first quarter. For k = 3, that holds
// for 1 in 94 random fingerprints. The scan reads the second quarters only of lines of 32
// fingerprints with at least one such first quarter. It reads the upper half only if both quarters
// together are within k, which holds for 1 in 780,000. So with vector kernels the scan is faster
// than a scan of whole words (AppendWithin) up to a k of about 8, for which it reads all parts of 1
// in 290. From k = 10 on it is slower, and in pure Go it is always slower. It also slows down if
// more fingerprints resemble the query than random ones would.
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
// k bits, in ascending order of Index. The function AppendWithin gives the same matches for the
// same fingerprints. It panics if the arrays differ in length. Cost: see Split.
func (s *Split) AppendWithin(dst []Match, query uint64, k int) []Match {
	return s.appendWithin(cpu.Active(), dst, query, k)
}

// SplitKernels returns the kernels of Split.AppendWithin, fastest first, generic last.
func SplitKernels() []cpu.Kernel { return slices.Clone(splitKernels) }

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
		kept := candidatesAt(tier, &list, s.First[from:to], s.Second[from:to], &quarters, limit)
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

// candidatesGeneric lists the lines (groups of 32 fingerprints) with at least one candidate, and
// returns the number of such lines. A candidate differs from the query's lower half in at most
// limit bits. An entry has the number of the line in its upper half, and a bit for each candidate
// in its lower half. There are 1 to 256 lines, all complete.
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
