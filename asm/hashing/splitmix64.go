package hashing

import "simhashkit/asm/cpu"

var splitMix64GenericKernel = SeededKernel{cpu.Kernel{Name: "generic"}, splitMix64Generic}

// SplitMix64 fills dst[i] with mix((keys[i] XOR mix(seed)) + γ): the output of Steele, Lea and
// Flood's generator (2014, as tuned by Vigna) with the key as its state, and with neighbouring
// seeds made unrelated. It is a bijection of the keys.
func SplitMix64(dst, keys []uint64, seed uint64) {
	sameLength(len(dst), len(keys))
	splitMix64At(cpu.Active(), dst, keys, seed)
}
