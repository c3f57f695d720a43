//go:build !purego

package hashing

import "simhashkit/asm/cpu"

const (
	needsXXH64AVX2   = cpu.ExtAVX | cpu.ExtAVX2
	needsXXH64AVX512 = cpu.ExtAVX | cpu.ExtBMI2 | cpu.ExtAVX512F | cpu.ExtAVX512BW | cpu.ExtAVX512DQ

	// Fewer keys than these are hashed faster one by one.
	leastXXH64AVX512 = 6
	leastXXH64AVX2   = 32
)

// XXH64Kernels returns the implementations of XXH64, fastest first, generic last.
func XXH64Kernels() []SeededKernel {
	at := func(tier cpu.Tier, needs cpu.Set) SeededKernel {
		return SeededKernel{cpu.Kernel{Name: tier.String(), Tier: tier, Needs: needs}, func(dst, keys []uint64, seed uint64) {
			xxh64At(tier, dst, keys, seed)
		}}
	}
	return []SeededKernel{at(cpu.AVX512, needsXXH64AVX512), at(cpu.AVX2, needsXXH64AVX2), xxh64GenericKernel}
}

func xxh64At(tier cpu.Tier, dst, keys []uint64, seed uint64) {
	dst = dst[:len(keys)]
	switch {
	case tier >= cpu.AVX512 && len(keys) >= leastXXH64AVX512:
		xxh64AVX512(dst, keys, xxh64Start(seed))
	case tier >= cpu.AVX2 && len(keys) >= leastXXH64AVX2:
		whole := len(keys) &^ 3
		xxh64AVX2(dst[:whole], keys[:whole], xxh64Start(seed))
		xxh64Generic(dst[whole:], keys[whole:], seed)
	default:
		xxh64Generic(dst, keys, seed)
	}
}
