//go:build !amd64 || purego

package hashing

import "simhashkit/asm/cpu"

// FNV1Kernels returns the implementations of FNV1, fastest first, generic last.
func FNV1Kernels() []UnseededKernel { return []UnseededKernel{fnv1GenericKernel} }

// FNV1aKernels returns the implementations of FNV1a, fastest first, generic last.
func FNV1aKernels() []UnseededKernel { return []UnseededKernel{fnv1aGenericKernel} }

func fnv1At(_ cpu.Tier, dst, keys []uint64) { fnv1Generic(dst, keys) }

func fnv1aAt(_ cpu.Tier, dst, keys []uint64) { fnv1aGeneric(dst, keys) }
