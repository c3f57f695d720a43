package hashing

import "simhashkit/asm/cpu"

// WyHashKernels returns the implementations of WyHash, fastest first, generic last.
func WyHashKernels() []SeededKernel { return kernelsWith(wyHashKernels, wyHashAt) }

// WyHash fills dst[i] with the wyhash of keys[i] under the seed: Wang Yi's final version 4 (neither
// 4.1 nor 4.2) with its default secret.
func WyHash(dst, keys []uint64, seed uint64) {
	wyHashAt(cpu.Active(), dst, keys, seed)
}
