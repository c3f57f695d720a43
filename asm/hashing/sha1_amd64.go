//go:build !purego

package hashing

import (
	"math/bits"

	"simhashkit/asm/cpu"
)

const (
	// Fewer keys than these are hashed faster one by one, also those that are left over from groups
	// of 8 and 16. The counter's numbers have to be made first.
	leastSHA1AVX512        = 2
	leastSHA1AVX2          = 3
	leastSHA1CounterAVX512 = 3
	leastSHA1CounterAVX2   = 3
)

func sha1At(tier cpu.Tier, dst, keys []uint64) {
	roomFor(3, len(dst), len(keys))
	var message [8]byte
	n, done := len(keys), 0
	switch {
	case tier >= cpu.AVX512 && n >= leastSHA1AVX512:
		done = sha1InSixteensAVX512(dst, keys, &sha1Plain)
	case tier >= cpu.AVX2 && n >= leastSHA1AVX2:
		done = sha1InEightsAVX2(dst, keys, &sha1Plain)
	}
	sha1Each(dst[done:], keys[done:], n, message[:])
}

func sha1CounterAt(tier cpu.Tier, dst, keys []uint64, counter byte) {
	roomFor(3, len(dst), len(keys))
	message := [9]byte{8: counter}
	word2, word15 := uint32(counter)<<24|0x80<<16, uint32(72)
	n, done := len(keys), 0
	switch {
	case tier >= cpu.AVX512 && n >= leastSHA1CounterAVX512:
		numbers := sha1Numbers(word2, word15)
		done = sha1InSixteensAVX512(dst, keys, &numbers)
	case tier >= cpu.AVX2 && n >= leastSHA1CounterAVX2:
		numbers := sha1Numbers(word2, word15)
		done = sha1InEightsAVX2(dst, keys, &numbers)
	}
	sha1Each(dst[done:], keys[done:], n, message[:])
}

// sha1InSixteensAVX512 hashes all keys but those left over that are faster one by one, and returns
// how many. The numbers are those of what the message has behind the key.
func sha1InSixteensAVX512(dst, keys []uint64, numbers *[102]uint32) (done int) {
	done = len(keys)
	if done%16 < leastSHA1AVX512 {
		done &^= 15
	}
	sha1AVX512(dst, keys[:done], len(keys), numbers)
	return done
}

// sha1InEightsAVX2 does the same by AVX2.
func sha1InEightsAVX2(dst, keys []uint64, numbers *[102]uint32) (done int) {
	n := len(keys)
	var scratch [64]uint64
	done = n &^ 7
	sha1AVX2(dst, keys[:done], n, numbers, &scratch)
	rest := keys[done:]
	if len(rest) < leastSHA1AVX2 {
		return done
	}
	var padded [8]uint64
	var codes [3 * 8]uint64
	copy(padded[:], rest)
	sha1AVX2(codes[:], padded[:], 8, numbers, &scratch)
	takeOf(8, dst[done:], n, codes[:], len(rest))
	return n
}

var sha1Plain = sha1Numbers(0x80<<24, 64)

// sha1Numbers returns what the steps add, and what words from 16 on are XORed with, where the block
// has these words behind the key: the end of the message and its length in bits. The words that
// only these two make are added with the steps' own numbers.
func sha1Numbers(word2, word15 uint32) (numbers [102]uint32) {
	w := [38]uint32{2: word2, 15: word15}
	w[18] = bits.RotateLeft32(w[15]^w[2], 1)
	w[21] = bits.RotateLeft32(w[18], 1)
	for t := range 80 {
		numbers[t] = [4]uint32{0x5A827999, 0x6ED9EBA1, 0x8F1BBCDC, 0xCA62C1D6}[t/20]
		if t < len(w) {
			numbers[t] += w[t]
		}
	}
	for t := 16; t < len(w); t++ {
		numbers[80+t-16] = w[t-3] ^ w[t-8] ^ w[t-14] ^ w[t-16]
	}
	return numbers
}
