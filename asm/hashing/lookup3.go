package hashing

import (
	"math/bits"

	"simhashkit/asm/cpu"
)

// Lookup3 fills dst[i] with hashlittle2 (Jenkins, lookup3.c of 2006) of keys[i]. The code (c<<32)|b
// combines its two results. The seed (pc<<32)|pb combines its two initial values.
func Lookup3(dst, keys []uint64, seed uint64) {
	lookup3At(cpu.Active(), dst, keys, seed)
}

// lookup3Start returns the initial values of the words a and b, and of the word c, for keys of 8
// bytes.
func lookup3Start(seed uint64) (ab, c uint32) {
	ab = 0xDEADBEEF + 8 + uint32(seed>>32)
	return ab, ab + uint32(seed)
}

func lookup3Generic(dst, keys []uint64, seed uint64) {
	dst = dst[:len(keys)]
	start, third := lookup3Start(seed)
	for i, k := range keys { // 8 bytes are a tail of two words
		a, b, c := start+uint32(k), start+uint32(k>>32), third
		c = (c ^ b) - bits.RotateLeft32(b, 14)
		a = (a ^ c) - bits.RotateLeft32(c, 11)
		b = (b ^ a) - bits.RotateLeft32(a, 25)
		c = (c ^ b) - bits.RotateLeft32(b, 16)
		a = (a ^ c) - bits.RotateLeft32(c, 4)
		b = (b ^ a) - bits.RotateLeft32(a, 14)
		c = (c ^ b) - bits.RotateLeft32(b, 24)
		dst[i] = uint64(c)<<32 | uint64(b)
	}
}

// lookup3Twice returns the values of lookup3Start, each twice in a 64-bit word.
func lookup3Twice(seed uint64) (start, third uint64) {
	a, c := lookup3Start(seed)
	return uint64(a) * (1<<32 + 1), uint64(c) * (1<<32 + 1)
}
