package hashing

import "simhashkit/asm/cpu"

// Fmix64Kernels returns the implementations of Fmix64, fastest first, generic last.
func Fmix64Kernels() []SeededKernel { return kernelsWith(fmix64Kernels, fmix64At) }

// Fmix64 fills dst[i] with f(keys[i] ^ f(seed)), f being the finaliser of MurmurHash3 (Appleby):
// with seed 0, with f(keys[i]) itself.
func Fmix64(dst, keys []uint64, seed uint64) {
	fmix64At(cpu.Active(), dst, keys, seed)
}
