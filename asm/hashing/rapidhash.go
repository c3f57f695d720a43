package hashing

import "simhashkit/asm/cpu"

// RapidHashKernels returns the implementations of RapidHash, fastest first, generic last.
func RapidHashKernels() []SeededKernel { return kernelsWith(rapidHashKernels, rapidHashAt) }

// RapidHash fills dst[i] with the rapidhash (De Carli, version 3) of keys[i] under the seed, with
// the default secret.
func RapidHash(dst, keys []uint64, seed uint64) {
	rapidHashAt(cpu.Active(), dst, keys, seed)
}
