//go:build !purego

package hashing

import "simhashkit/asm/cpu"

var fmix64Kernels = []cpu.Kernel{
	cpu.KernelAt(cpu.AVX512, cpu.ExtAVX|cpu.ExtBMI2|cpu.ExtAVX512F|cpu.ExtAVX512BW|cpu.ExtAVX512DQ),
	cpu.KernelAt(cpu.AVX2, cpu.ExtAVX|cpu.ExtAVX2),
	cpu.KernelAt(cpu.Generic, 0),
}

const (
	// Fewer keys than these are hashed faster one by one.
	leastFmix64AVX512 = 5
	leastFmix64AVX2   = 8
)

func fmix64At(tier cpu.Tier, dst, keys []uint64, seed uint64) {
	sameLength(len(dst), len(keys))
	switch {
	case tier >= cpu.AVX512 && len(keys) >= leastFmix64AVX512:
		fmix64AVX512(dst, keys, fmix64(seed))
	case tier >= cpu.AVX2 && len(keys) >= leastFmix64AVX2:
		whole := len(keys) &^ 3
		fmix64AVX2(dst[:whole], keys[:whole], fmix64(seed))
		fmix64Generic(dst[whole:], keys[whole:], seed)
	default:
		fmix64Generic(dst, keys, seed)
	}
}
