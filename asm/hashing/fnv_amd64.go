//go:build !purego

package hashing

import "simhashkit/asm/cpu"

var fnvKernels = []cpu.Kernel{
	cpu.KernelAt(cpu.AVX512, cpu.ExtAVX|cpu.ExtBMI2|cpu.ExtAVX512F|cpu.ExtAVX512DQ|cpu.ExtAVX512BW),
	cpu.KernelAt(cpu.AVX2, cpu.ExtAVX|cpu.ExtAVX2),
	cpu.KernelAt(cpu.Generic, 0),
}

const (
	// Fewer keys than these are hashed faster one by one.
	leastFNVAVX512 = 6
	leastFNVAVX2   = 8
)

func fnv1At(tier cpu.Tier, dst, keys []uint64) {
	sameLength(len(dst), len(keys))
	switch {
	case tier >= cpu.AVX512 && len(keys) >= leastFNVAVX512:
		fnv1AVX512(dst, keys)
	case tier >= cpu.AVX2 && len(keys) >= leastFNVAVX2:
		whole := len(keys) &^ 3
		fnv1AVX2(dst[:whole], keys[:whole])
		fnv1Generic(dst[whole:], keys[whole:])
	default:
		fnv1Generic(dst, keys)
	}
}

func fnv1aAt(tier cpu.Tier, dst, keys []uint64) {
	sameLength(len(dst), len(keys))
	switch {
	case tier >= cpu.AVX512 && len(keys) >= leastFNVAVX512:
		fnv1aAVX512(dst, keys)
	case tier >= cpu.AVX2 && len(keys) >= leastFNVAVX2:
		whole := len(keys) &^ 3
		fnv1aAVX2(dst[:whole], keys[:whole])
		fnv1aGeneric(dst[whole:], keys[whole:])
	default:
		fnv1aGeneric(dst, keys)
	}
}
