//go:build !amd64 || purego

package hashing

import "simhashkit/asm/cpu"

// MD5Kernels returns the implementations of MD5, fastest first, generic last.
func MD5Kernels() []UnseededKernel { return []UnseededKernel{md5GenericKernel} }

// MD5CounterKernels returns the implementations of MD5Counter, fastest first, generic last.
func MD5CounterKernels() []CounterKernel { return []CounterKernel{md5CounterGenericKernel} }

func md5At(_ cpu.Tier, dst, keys []uint64) { md5Generic(dst, keys) }

func md5CounterAt(_ cpu.Tier, dst, keys []uint64, counter byte) {
	md5CounterGeneric(dst, keys, counter)
}
