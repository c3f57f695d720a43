//go:build !amd64 || purego

package hashing

import "simhashkit/asm/cpu"

// MD5Kernels returns the implementations of MD5, fastest first, generic last.
func MD5Kernels() []UnseededKernel { return []UnseededKernel{md5GenericKernel} }

func md5At(_ cpu.Tier, dst, keys []uint64) { md5Generic(dst, keys) }
