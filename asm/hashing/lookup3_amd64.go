//go:build !purego

package hashing

import "simhashkit/asm/cpu"

var lookup3Kernels = []cpu.Kernel{
	cpu.KernelAt(cpu.AVX512, cpu.ExtAVX|cpu.ExtBMI2|cpu.ExtAVX512F|cpu.ExtAVX512BW),
	cpu.KernelAt(cpu.AVX2, cpu.ExtAVX|cpu.ExtAVX2),
	cpu.KernelAt(cpu.Generic, 0),
}

const (
	// Fewer keys than these are hashed faster one by one.
	leastLookup3AVX512 = 4
	leastLookup3AVX2   = 4
)

func lookup3At(tier cpu.Tier, dst, keys []uint64, seed uint64) {
	sameLength(len(dst), len(keys))
	switch {
	case tier >= cpu.AVX512 && len(keys) >= leastLookup3AVX512:
		start, third := lookup3Twice(seed)
		lookup3AVX512(dst, keys, start, third)
	case tier >= cpu.AVX2 && len(keys) >= leastLookup3AVX2:
		start, third := lookup3Twice(seed)
		whole := len(keys) &^ 3
		lookup3AVX2(dst[:whole], keys[:whole], start, third)
		lookup3Generic(dst[whole:], keys[whole:], seed)
	default:
		lookup3Generic(dst, keys, seed)
	}
}

// lookup3Twice returns what lookup3Start does, each twice in a word of 64 bits.
func lookup3Twice(seed uint64) (start, third uint64) {
	a, c := lookup3Start(seed)
	return uint64(a) * (1<<32 + 1), uint64(c) * (1<<32 + 1)
}
