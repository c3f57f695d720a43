package hashing

import "simhashkit/asm/cpu"

// FNV1Kernels returns the implementations of FNV1, fastest first, generic last.
func FNV1Kernels() []UnseededKernel { return unseededKernels(fnvKernels, fnv1At) }

// FNV1 fills dst[i] with the 64-bit FNV-1 hash (Fowler, Noll, Vo; RFC 9923) of keys[i]: multiply,
// then XOR the next byte.
func FNV1(dst, keys []uint64) {
	fnv1At(cpu.Active(), dst, keys)
}

// FNV1aKernels returns the implementations of FNV1a, fastest first, generic last.
func FNV1aKernels() []UnseededKernel { return unseededKernels(fnvKernels, fnv1aAt) }

// FNV1a fills dst[i] with the 64-bit FNV-1a hash (Fowler, Noll, Vo; RFC 9923) of keys[i]: XOR the
// next byte, then multiply.
func FNV1a(dst, keys []uint64) {
	fnv1aAt(cpu.Active(), dst, keys)
}
