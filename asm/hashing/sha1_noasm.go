//go:build !amd64 || purego

package hashing

import "simhashkit/asm/cpu"

// SHA1Kernels returns the implementations of SHA1, fastest first, generic last.
func SHA1Kernels() []UnseededKernel { return []UnseededKernel{sha1GenericKernel} }

// SHA1CounterKernels returns the implementations of SHA1Counter, fastest first, generic last.
func SHA1CounterKernels() []CounterKernel { return []CounterKernel{sha1CounterGenericKernel} }

func sha1At(_ cpu.Tier, dst, keys []uint64) { sha1Generic(dst, keys) }

func sha1CounterAt(_ cpu.Tier, dst, keys []uint64, counter byte) {
	sha1CounterGeneric(dst, keys, counter)
}
