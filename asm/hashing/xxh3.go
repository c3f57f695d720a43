package hashing

import "simhashkit/asm/cpu"

// XXH3Kernels returns the implementations of XXH3, fastest first, generic last.
func XXH3Kernels() []SeededKernel { return kernelsWith(xxh3Kernels, xxh3At) }

// XXH3 fills dst[i] with the 64-bit XXH3 (Collet, version 0.8) of keys[i] under the seed.
func XXH3(dst, keys []uint64, seed uint64) {
	xxh3At(cpu.Active(), dst, keys, seed)
}
