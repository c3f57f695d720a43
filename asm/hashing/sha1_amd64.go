//go:build !purego

package hashing

import (
	"math/bits"

	"simhashkit/asm/cpu"
)

var sha1Kernels = []cpu.Kernel{
	cpu.KernelAt(cpu.AVX512, cpu.ExtAVX|cpu.ExtBMI2|cpu.ExtAVX512F|cpu.ExtAVX512BW|cpu.ExtAVX512DQ),
	cpu.KernelAt(cpu.AVX2, cpu.ExtAVX|cpu.ExtAVX2),
	cpu.KernelAt(cpu.Generic, 0),
}

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
	n := len(keys)
	if tier == cpu.Generic || n < leastSHA1AVX512 || n < leastSHA1AVX2 && tier == cpu.AVX2 {
		sha1Generic(dst, keys)
		return
	}
	var message [8]byte
	sha1Lanes(tier, dst, keys, message[:], &sha1Plain)
}

func sha1CounterAt(tier cpu.Tier, dst, keys []uint64, counter byte) {
	roomFor(3, len(dst), len(keys))
	n := len(keys)
	if tier == cpu.Generic || n < leastSHA1CounterAVX512 || n < leastSHA1CounterAVX2 && tier == cpu.AVX2 {
		sha1CounterGeneric(dst, keys, counter)
		return
	}
	message, numbers := [9]byte{8: counter}, sha1Numbers(uint32(counter)<<24|0x80<<16, 72)
	sha1Lanes(tier, dst, keys, message[:], &numbers)
}

// sha1Lanes hashes the keys by vectors, followed by what the message has behind its first 8 bytes
// and what the numbers are made of.
func sha1Lanes(tier cpu.Tier, dst, keys []uint64, message []byte, numbers *[102]uint32) {
	n := len(keys)
	done := n
	if tier >= cpu.AVX512 {
		if n%16 < leastSHA1AVX512 {
			done = n &^ 15
		}
		sha1AVX512(dst, keys[:done], n, numbers)
	} else {
		var scratch [64]uint64
		done = n &^ 7
		sha1AVX2(dst, keys[:done], n, numbers, &scratch)
		if rest := keys[done:]; len(rest) >= leastSHA1AVX2 {
			var padded [8]uint64
			var codes [3 * 8]uint64
			copy(padded[:], rest)
			sha1AVX2(codes[:], padded[:], 8, numbers, &scratch)
			takeOf(8, dst[done:], n, codes[:], len(rest))
			done = n
		}
	}
	sha1Each(dst[done:], keys[done:], n, message)
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
