package hashing

import "simhashkit/asm/cpu"

// WyHashKernels returns the implementations of WyHash, fastest first, generic last.
func WyHashKernels() []SeededKernel { return kernelsWith(wyHashKernels, wyHashAt) }

// WyHash fills dst[i] with the wyhash (Wang Yi, final version 4, not 4.2) of keys[i] under the seed,
// with the default secret.
func WyHash(dst, keys []uint64, seed uint64) {
	wyHashAt(cpu.Active(), dst, keys, seed)
}
