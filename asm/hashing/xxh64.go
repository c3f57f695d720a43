package hashing

import "simhashkit/asm/cpu"

var xxh64GenericKernel = SeededKernel{cpu.Kernel{Name: "generic"}, xxh64Generic}

// XXH64 fills dst[i] with the 64-bit xxHash (Collet, XXH64 of version 0.8) of keys[i] under the
// seed.
func XXH64(dst, keys []uint64, seed uint64) {
	sameLength(len(dst), len(keys))
	xxh64At(cpu.Active(), dst, keys, seed)
}
