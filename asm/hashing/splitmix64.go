package hashing

import "simhashkit/asm/cpu"

// SplitMix64Kernels returns the implementations of SplitMix64, fastest first, generic last.
func SplitMix64Kernels() []SeededKernel { return kernelsWith(splitMix64Kernels, splitMix64At) }

// SplitMix64 fills dst[i] with mix((keys[i] XOR mix(seed)) + γ): the output of Steele, Lea and
// Flood's generator (2014, as tuned by Vigna) with the key as its state, and with neighbouring
// seeds made unrelated. It is a bijection of the keys.
func SplitMix64(dst, keys []uint64, seed uint64) {
	splitMix64At(cpu.Active(), dst, keys, seed)
}
