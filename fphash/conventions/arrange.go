package conventions

import (
	"math/bits"

	"simhashkit/fphash"
)

// votedBits returns how many bits of the code, from the lowest on, are voted on: a digest of which
// the last bytes are wanted is voted on as a whole.
func (c Convention) votedBits(f fphash.Family) int {
	if c.BitOrder == lastBytes {
		return f.Bits
	}
	return c.Bits
}

// arrange makes the fingerprint of what was voted, in place, and returns it: the bits where the
// convention has them, and inverted.
func (s *Sketcher) arrange(voted []uint64) []uint64 {
	if s.convention.BitOrder != numberOrder {
		reverseBytes(voted)
		if s.convention.BitOrder == firstBytes {
			shiftRight(voted, 64*len(voted)-s.bits)
		}
	}
	fingerprint := voted[:s.words]
	if s.convention.Inverted {
		for t := range fingerprint {
			fingerprint[t] = ^fingerprint[t]
		}
	}
	fingerprint[s.words-1] &= ^uint64(0) >> (-uint(s.bits) % 64)
	return fingerprint
}

// reverseBytes makes the first byte of the words, least significant first, the last one.
func reverseBytes(words []uint64) {
	for i, j := 0, len(words)-1; i <= j; i, j = i+1, j-1 {
		words[i], words[j] = bits.ReverseBytes64(words[j]), bits.ReverseBytes64(words[i])
	}
}

// shiftRight shifts a number of many words by less than 64 bits.
func shiftRight(words []uint64, by int) {
	for t := range words {
		words[t] >>= by
		if t+1 < len(words) {
			words[t] |= words[t+1] << (64 - by) // nothing, where by is 0
		}
	}
}
