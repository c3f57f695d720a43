//go:build !amd64 || purego

package hashing

import "simhashkit/asm/cpu"

// XXH64Kernels returns the implementations of XXH64, fastest first, generic last.
func XXH64Kernels() []SeededKernel { return []SeededKernel{xxh64GenericKernel} }

func xxh64At(_ cpu.Tier, dst, keys []uint64, seed uint64) { xxh64Generic(dst, keys, seed) }
