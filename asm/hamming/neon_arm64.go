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
