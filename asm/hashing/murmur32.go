package hashing

import (
	"math/bits"

	"simhashkit/asm/cpu"
)

// Murmur32 fills dst[i] with the 32-bit MurmurHash3 (Appleby, x86_32) of keys[i]. The original's
// seed has 32 bits; the upper half of a wider seed is XORed into the lower half.
func Murmur32(dst, keys []uint64, seed uint64) {
	murmur32At(cpu.Active(), dst, keys, seed)
}

func murmur32Generic(dst, keys []uint64, seed uint64) {
	dst = dst[:len(keys)]
	start := uint32(seed ^ seed>>32)
	for i, k := range keys { // 8 bytes are two words without a tail
		h := murmur32Word(start, uint32(k))
		h = murmur32Word(h, uint32(k>>32)) ^ 8
		h = (h ^ h>>16) * 0x85EBCA6B
		h = (h ^ h>>13) * 0xC2B2AE35
		dst[i] = uint64(h ^ h>>16)
	}
}

// murmur32Word combines the state h with a word of the key.
func murmur32Word(h, k uint32) uint32 {
	h ^= bits.RotateLeft32(k*0xCC9E2D51, 15) * 0x1B873593
	return bits.RotateLeft32(h, 13)*5 + 0xE6546B64
}

// murmur32Twice returns the initial state twice in a 64-bit word.
func murmur32Twice(seed uint64) uint64 { return uint64(uint32(seed^seed>>32)) * (1<<32 + 1) }
