//go:build !purego

package hashing

import "simhashkit/asm/cpu"

const (
	needsSplitMix64AVX2   = cpu.ExtAVX | cpu.ExtAVX2
	needsSplitMix64AVX512 = cpu.ExtAVX | cpu.ExtBMI2 | cpu.ExtAVX512F | cpu.ExtAVX512BW | cpu.ExtAVX512DQ

	// Fewer keys than these are hashed faster one by one.
	leastSplitMix64AVX512 = 6
	leastSplitMix64AVX2   = 12
)

// SplitMix64Kernels returns the implementations of SplitMix64, fastest first, generic last.
func SplitMix64Kernels() []SeededKernel {
	at := func(tier cpu.Tier, needs cpu.Set) SeededKernel {
		return SeededKernel{cpu.Kernel{Name: tier.String(), Tier: tier, Needs: needs}, func(dst, keys []uint64, seed uint64) {
			splitMix64At(tier, dst, keys, seed)
		}}
	}
	return []SeededKernel{at(cpu.AVX512, needsSplitMix64AVX512), at(cpu.AVX2, needsSplitMix64AVX2), splitMix64GenericKernel}
}

func splitMix64At(tier cpu.Tier, dst, keys []uint64, seed uint64) {
	dst = dst[:len(keys)]
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
