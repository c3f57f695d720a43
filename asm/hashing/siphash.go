package hashing

import (
	"math/bits"

	"simhashkit/asm/cpu"
)

// SipHash fills dst[i] with the 64-bit SipHash-2-4 (Aumasson and Bernstein, 2012) of keys[i] under
// the key, a secret of 16 bytes given as two little-endian words.
func SipHash(dst, keys []uint64, key *[2]uint64) {
	sipHashAt(cpu.Active(), dst, keys, key)
}

const (
	sipLength uint64 = 8 << 56 // the length of a key in the form of the last block
	sipFinish uint64 = 0xFF
)

// sipHashStart returns the initial state for all keys, after the part of the first round that does
// not depend on the key: the whole half of v0 and v1.
func sipHashStart(key *[2]uint64) (v0, v1, v2, v3 uint64) {
	v0, v1 = sipHalf(key[0]^0x736F6D6570736575, key[1]^0x646F72616E646F6D, 13)
	return bits.RotateLeft64(v0, 32), v1, key[0] ^ 0x6C7967656E657261, key[1] ^ 0x7465646279746573
}

// sipHalf is a quarter of a round: one half of half a round. Whole rounds are written out, because
// the compiler does not inline more than this.
func sipHalf(a, b uint64, by int) (uint64, uint64) {
	a += b
	return a, bits.RotateLeft64(b, by) ^ a
}

func sipHashGeneric(dst, keys []uint64, key *[2]uint64) {
	dst = dst[:len(keys)]
	start0, start1, start2, start3 := sipHashStart(key)
	for i, k := range keys {
		v0, v1, v2, v3 := start0, start1, start2, start3^k
		v2, v3 = sipHalf(v2, v3, 16)
		v0, v3 = sipHalf(v0, v3, 21)
		v2, v1 = sipHalf(v2, v1, 17)
		v2 = bits.RotateLeft64(v2, 32)

		v0, v1 = sipHalf(v0, v1, 13)
		v2, v3 = sipHalf(v2, v3, 16)
		v0, v3 = sipHalf(bits.RotateLeft64(v0, 32), v3, 21)
		v2, v1 = sipHalf(v2, v1, 17)
		v2 = bits.RotateLeft64(v2, 32)

		v0 ^= k
		v3 ^= sipLength
		for range 2 {
			v0, v1 = sipHalf(v0, v1, 13)
			v2, v3 = sipHalf(v2, v3, 16)
			v0, v3 = sipHalf(bits.RotateLeft64(v0, 32), v3, 21)
			v2, v1 = sipHalf(v2, v1, 17)
			v2 = bits.RotateLeft64(v2, 32)
		}
		v0 ^= sipLength
		v2 ^= sipFinish
		for range 4 {
			v0, v1 = sipHalf(v0, v1, 13)
			v2, v3 = sipHalf(v2, v3, 16)
			v0, v3 = sipHalf(bits.RotateLeft64(v0, 32), v3, 21)
			v2, v1 = sipHalf(v2, v1, 17)
			v2 = bits.RotateLeft64(v2, 32)
		}
		dst[i] = v0 ^ v1 ^ v2 ^ v3
	}
}

// sipHashState returns the result of sipHashStart in memory.
func sipHashState(key *[2]uint64) *[4]uint64 {
	v0, v1, v2, v3 := sipHashStart(key)
	return &[4]uint64{v0, v1, v2, v3}
}
