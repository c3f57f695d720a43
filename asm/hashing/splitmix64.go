package hashing

import "simhashkit/asm/cpu"

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
