package hashing

import (
	"math/bits"

	"simhashkit/asm/cpu"
)

// XXH3 fills dst[i] with the 64-bit XXH3 (Collet, version 0.8) of keys[i] under the seed.
func XXH3(dst, keys []uint64, seed uint64) {
	xxh3At(cpu.Active(), dst, keys, seed)
}

const (
	// words 1 and 2 of XXH3's default secret, XORed
	xxh3Flip  uint64 = 0x1CAD21F72C81017C ^ 0xDB979083E96DD4DE
	xxh3Prime uint64 = 0x9FB21C651E98DF25
)

// xxh3Start returns the number that keys of 8 bytes, with their halves exchanged, are XORed with.
func xxh3Start(seed uint64) uint64 {
	return xxh3Flip - (seed ^ uint64(bits.ReverseBytes32(uint32(seed)))<<32)
}

func xxh3Generic(dst, keys []uint64, seed uint64) {
	dst = dst[:len(keys)]
	flip := xxh3Start(seed)
	for i, k := range keys {
		h := bits.RotateLeft64(k, 32) ^ flip
		h ^= bits.RotateLeft64(h, 49) ^ bits.RotateLeft64(h, 24)
		h *= xxh3Prime
		h = (h ^ (h>>35 + 8)) * xxh3Prime
		dst[i] = h ^ h>>28
	}
}
