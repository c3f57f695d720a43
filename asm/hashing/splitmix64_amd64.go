//go:build !purego

package hashing

import "simhashkit/asm/cpu"

var splitMix64Kernels = []cpu.Kernel{
	cpu.KernelAt(cpu.AVX512, cpu.ExtAVX|cpu.ExtBMI2|cpu.ExtAVX512F|cpu.ExtAVX512BW|cpu.ExtAVX512DQ),
	cpu.KernelAt(cpu.AVX2, cpu.ExtAVX|cpu.ExtAVX2),
	cpu.KernelAt(cpu.Generic, 0),
}

const (
	// Fewer keys than these are hashed faster one by one.
	leastSplitMix64AVX512 = 6
	leastSplitMix64AVX2   = 12
)

func splitMix64At(tier cpu.Tier, dst, keys []uint64, seed uint64) {
	sameLength(len(dst), len(keys))
	switch {
	case tier >= cpu.AVX512 && len(keys) >= leastSplitMix64AVX512:
		splitMix64AVX512(dst, keys, Mix64(seed))
	case tier >= cpu.AVX2 && len(keys) >= leastSplitMix64AVX2:
		whole := len(keys) &^ 3
		splitMix64AVX2(dst[:whole], keys[:whole], Mix64(seed))
		splitMix64Generic(dst[whole:], keys[whole:], seed)
	default:
		splitMix64Generic(dst, keys, seed)
	}
}
