package hashing

import "simhashkit/asm/cpu"

// Lookup3Kernels returns the implementations of Lookup3, fastest first, generic last.
func Lookup3Kernels() []SeededKernel { return kernelsWith(lookup3Kernels, lookup3At) }

// Lookup3 fills dst[i] with hashlittle2 (Jenkins, lookup3.c of 2006) of keys[i]: the code is
// (c<<32)|b of its two results, and the seed (pc<<32)|pb of its two initial values.
func Lookup3(dst, keys []uint64, seed uint64) {
	lookup3At(cpu.Active(), dst, keys, seed)
}
