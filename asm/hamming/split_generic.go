package hamming

import "math/bits"

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
