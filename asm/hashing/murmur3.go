package hashing

import (
	"math/bits"

	"simhashkit/asm/cpu"
)

// Murmur3 fills dst with the 128-bit MurmurHash3 (Appleby, x64_128) of the keys under the seed: h1
// of all keys, then h2 of all keys.
//
// dst has two words per key: h1 and h2 of keys[i] are dst[i] and dst[len(keys)+i]. It must not
// overlap keys. The original's seed has 32 bits; wider seeds extend it.
func Murmur3(dst, keys []uint64, seed uint64) {
	murmur3At(cpu.Active(), dst, keys, seed)
}

const (
	murmur3First  uint64 = 0x87C37B91114253D5
	murmur3Second uint64 = 0x4CF5AD432745937F
)

// murmur3Start returns the initial value of both halves of the state, which includes the length of
// a key.
func murmur3Start(seed uint64) uint64 { return seed ^ 8 }

func murmur3Generic(dst, keys []uint64, seed uint64) { murmur3Each(dst, keys, len(keys), seed) }

// murmur3Each hashes the keys one by one; h2 of keys[i] goes to dst[stride+i].
func murmur3Each(dst, keys []uint64, stride int, seed uint64) {
	if len(keys) == 0 {
		return
	}
	h1s, h2s := dst[:len(keys)], dst[stride:][:len(keys)]
	start := murmur3Start(seed)
	for i, k := range keys { // 8 bytes are a tail of one word
		h1 := start ^ bits.RotateLeft64(k*murmur3First, 31)*murmur3Second
		h1 += start
		h2 := start + h1
		h1, h2 = fmix64(h1), fmix64(h2)
		h1 += h2
		h1s[i], h2s[i] = h1, h2+h1
	}
}
