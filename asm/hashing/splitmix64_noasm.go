//go:build !amd64 || purego

package hashing

import "simhashkit/asm/cpu"

// SplitMix64Kernels returns the implementations of SplitMix64, fastest first, generic last.
func SplitMix64Kernels() []SeededKernel { return []SeededKernel{splitMix64GenericKernel} }

func splitMix64At(_ cpu.Tier, dst, keys []uint64, seed uint64) { splitMix64Generic(dst, keys, seed) }
