//go:build !purego

package hamming

// nearNEON returns the position of the first 64 words, counted from the start, that screening does
// not rule out, or of the last block if that has fewer words; the number of words if all are ruled
// out. The number of words is a multiple of 8.
//
//go:noescape
func nearNEON(words []uint64, pattern *[8]uint64, limit uint64) (at int)

// nearPeriodicNEON returns the position of the first 2·len(pattern) words, counted from the start,
// of which any may differ in at most limit bits from its counterpart in the pattern, repeated, or
// of the rest if fewer are left. The pattern has a multiple of 8 words.
//
//go:noescape
func nearPeriodicNEON(words, pattern []uint64, limit uint64) (at int)

// candidatesNEON lists the lines of 32 fingerprints that have candidates, and returns their number;
// it works like candidatesGeneric. Of a line in which the first quarter alone leaves no candidate,
// the second is not read.
//
//go:noescape
func candidatesNEON(list *[256]uint64, first []uint16, second []uint16, query *[2]uint16, limit uint16) int
