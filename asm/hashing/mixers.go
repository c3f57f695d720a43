package hashing

import (
	"math/bits"

	"simhashkit/asm/cpu"
)

// SplitMix64 fills dst[i] with mix((keys[i] XOR mix(seed)) + γ). That is the output of Steele, Lea
// and Flood's generator (2014, as tuned by Vigna) with the key as its state, where mix(seed) makes
// neighbouring seeds unrelated. It is a bijection of the keys.
func SplitMix64(dst, keys []uint64, seed uint64) {
	splitMix64At(cpu.Active(), dst, keys, seed)
}

// gamma is the step of the generator: 2^64 divided by the golden ratio, made odd.
const gamma = 0x9E3779B97F4A7C15

func splitMix64Generic(dst, keys []uint64, seed uint64) {
	dst = dst[:len(keys)]
	s := Mix64(seed)
	for i, k := range keys {
		dst[i] = Mix64((k ^ s) + gamma)
	}
}

// Mix64 is the finaliser of SplitMix64: a bijection that spreads every bit of x over the word;
// Mix64(0) is 0.
func Mix64(x uint64) uint64 {
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// Fmix64 fills dst[i] with f(keys[i] ^ f(seed)), where f is the finaliser of MurmurHash3 (Appleby).
// With seed 0, that is f(keys[i]).
func Fmix64(dst, keys []uint64, seed uint64) {
	fmix64At(cpu.Active(), dst, keys, seed)
}

func fmix64Generic(dst, keys []uint64, seed uint64) {
	dst = dst[:len(keys)]
	mixed := fmix64(seed)
	for i, k := range keys {
		dst[i] = fmix64(k ^ mixed)
	}
}

// fmix64 is the finaliser of MurmurHash3: a bijection that spreads every bit of x over the word;
// fmix64(0) is 0.
func fmix64(x uint64) uint64 {
	x = (x ^ x>>33) * 0xFF51AFD7ED558CCD
	x = (x ^ x>>33) * 0xC4CEB9FE1A85EC53
	return x ^ x>>33
}

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
