//go:build !purego

package hamming

import "math/bits"

// screenNEON returns the position of the first group of 64 words, counted from the start, that
// screening does not rule out, or the number of words if it rules out all of them. The last group
// may be shorter. The number of words is a multiple of 8.
//
//go:noescape
func screenNEON(words []uint64, pattern *[8]uint64, limit uint64) (at int)

// nearPeriodicNEON returns the position of the first group of 2·len(pattern) words, counted from
// the start, in which a word may differ in at most limit bits from its counterpart in the repeated
// pattern. The last group may be shorter. The length of the pattern is a multiple of 8.
//
//go:noescape
func nearPeriodicNEON(words, pattern []uint64, limit uint64) (at int)

// candidatesNEON lists the lines of 32 fingerprints that have candidates, and returns their number.
// It works like candidatesGeneric. It does not read the second quarters of a line whose first
// quarters leave no candidate.
//
//go:noescape
func candidatesNEON(list *[256]uint64, first []uint16, second []uint16, query *[2]uint16, limit uint16) int

// nearNEON returns the position of the first group of 64 words that screening does not rule out,
// and a bit for each of these words that differs in at most limit bits from its counterpart in the
// pattern.
func nearNEON(words []uint64, pattern *[8]uint64, limit uint64) (at int, hits uint64) {
	at = screenNEON(words, pattern, limit)
	for i, word := range words[at:min(at+64, len(words))] {
		if uint64(bits.OnesCount64(word^pattern[i%8])) <= limit {
			hits |= 1 << i
		}
	}
	return at, hits
}
