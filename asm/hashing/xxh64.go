package hashing

import "simhashkit/asm/cpu"

// XXH64Kernels returns the implementations of XXH64, fastest first, generic last.
func XXH64Kernels() []SeededKernel { return kernelsWith(xxh64Kernels, xxh64At) }

// XXH64 fills dst[i] with the 64-bit xxHash (Collet, XXH64 of version 0.8) of keys[i] under the
// seed.
func XXH64(dst, keys []uint64, seed uint64) {
	xxh64At(cpu.Active(), dst, keys, seed)
}
