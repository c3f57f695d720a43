//go:build !purego

package hashing

import "simhashkit/asm/cpu"

var xxh3Kernels = []cpu.Kernel{
	cpu.KernelAt(cpu.AVX512, cpu.ExtAVX|cpu.ExtBMI2|cpu.ExtAVX512F|cpu.ExtAVX512BW|cpu.ExtAVX512DQ),
	cpu.KernelAt(cpu.AVX2, cpu.ExtAVX|cpu.ExtAVX2),
	cpu.KernelAt(cpu.Generic, 0),
}

const (
	// Fewer keys than these are hashed faster one by one.
	leastXXH3AVX512 = 5
	leastXXH3AVX2   = 4
)

func xxh3At(tier cpu.Tier, dst, keys []uint64, seed uint64) {
	sameLength(len(dst), len(keys))
	switch {
	case tier >= cpu.AVX512 && len(keys) >= leastXXH3AVX512:
		xxh3AVX512(dst, keys, xxh3Start(seed))
	case tier >= cpu.AVX2 && len(keys) >= leastXXH3AVX2:
		whole := len(keys) &^ 3
		xxh3AVX2(dst[:whole], keys[:whole], xxh3Start(seed))
		xxh3Generic(dst[whole:], keys[whole:], seed)
	default:
		xxh3Generic(dst, keys, seed)
	}
}
