package hashing

import (
	"math/bits"

	"simhashkit/asm/cpu"
)

// XXH64 fills dst[i] with the 64-bit xxHash (Collet, XXH64 of version 0.8) of keys[i] under the
// seed.
func XXH64(dst, keys []uint64, seed uint64) {
	xxh64At(cpu.Active(), dst, keys, seed)
}

// The primes of XXH64.
const (
	xxhPrime1 uint64 = 0x9E3779B185EBCA87
	xxhPrime2 uint64 = 0xC2B2AE3D27D4EB4F
	xxhPrime3 uint64 = 0x165667B19E3779F9
	xxhPrime4 uint64 = 0x85EBCA77C2B2AE63
	xxhPrime5 uint64 = 0x27D4EB2F165667C5
)

// xxh64Start returns the initial value of the hash for keys of 8 bytes.
func xxh64Start(seed uint64) uint64 { return seed + xxhPrime5 + 8 }

func xxh64Generic(dst, keys []uint64, seed uint64) {
	dst = dst[:len(keys)]
	start := xxh64Start(seed)
	for i, k := range keys {
		h := start ^ bits.RotateLeft64(k*xxhPrime2, 31)*xxhPrime1
		h = bits.RotateLeft64(h, 27)*xxhPrime1 + xxhPrime4
		h = (h ^ h>>33) * xxhPrime2
		h = (h ^ h>>29) * xxhPrime3
		dst[i] = h ^ h>>32
	}
}

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
