//go:build !amd64 || purego

package hashing

import "simhashkit/asm/cpu"

// SHA256Kernels returns the implementations of SHA256, fastest first, generic last.
func SHA256Kernels() []UnseededKernel { return []UnseededKernel{sha256GenericKernel} }

// SHA256CounterKernels returns the implementations of SHA256Counter, fastest first, generic last.
func SHA256CounterKernels() []CounterKernel { return []CounterKernel{sha256CounterGenericKernel} }

func sha256At(_ cpu.Tier, dst, keys []uint64) { sha256Generic(dst, keys) }

func sha256CounterAt(_ cpu.Tier, dst, keys []uint64, counter byte) {
	sha256CounterGeneric(dst, keys, counter)
}
