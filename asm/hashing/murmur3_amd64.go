//go:build !purego

package hashing

import "simhashkit/asm/cpu"

var murmur3Kernels = []cpu.Kernel{
	cpu.KernelAt(cpu.AVX512, cpu.ExtAVX|cpu.ExtBMI2|cpu.ExtAVX512F|cpu.ExtAVX512BW|cpu.ExtAVX512DQ),
	cpu.KernelAt(cpu.AVX2, cpu.ExtAVX|cpu.ExtAVX2),
	cpu.KernelAt(cpu.Generic, 0),
}

const (
	// Fewer keys than these are hashed faster one by one.
	leastMurmur3AVX512 = 2
	leastMurmur3AVX2   = 4
)

func murmur3At(tier cpu.Tier, dst, keys []uint64, seed uint64) {
	n := len(keys)
	roomFor(2, len(dst), n)
	switch {
	case tier >= cpu.AVX512 && n >= leastMurmur3AVX512:
		murmur3AVX512(dst, keys, n, murmur3Start(seed))
	case tier >= cpu.AVX2 && n >= leastMurmur3AVX2:
		whole := n &^ 3
		murmur3AVX2(dst, keys[:whole], n, murmur3Start(seed))
		murmur3Each(dst[whole:], keys[whole:], n, seed)
	default:
		murmur3Generic(dst, keys, seed)
	}
}
