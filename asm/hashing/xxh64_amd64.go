//go:build !purego

package hashing

import "simhashkit/asm/cpu"

var xxh64Kernels = []cpu.Kernel{
	cpu.KernelAt(cpu.AVX512, cpu.ExtAVX|cpu.ExtBMI2|cpu.ExtAVX512F|cpu.ExtAVX512BW|cpu.ExtAVX512DQ),
	cpu.KernelAt(cpu.AVX2, cpu.ExtAVX|cpu.ExtAVX2),
	cpu.KernelAt(cpu.Generic, 0),
}

const (
	// Fewer keys than these are hashed faster one by one.
	leastXXH64AVX512 = 6
	leastXXH64AVX2   = 32
)

func xxh64At(tier cpu.Tier, dst, keys []uint64, seed uint64) {
	sameLength(len(dst), len(keys))
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
