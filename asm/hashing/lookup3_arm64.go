//go:build !purego

package hashing

import "simhashkit/asm/cpu"

var lookup3Kernels = table("lookup3", cpu.KernelAt(cpu.NEON, cpu.ExtASIMD))

func lookup3At(tier cpu.Tier, dst, keys []uint64, seed uint64) {
	sameLength(len(dst), len(keys))
	switch tier {
	case cpu.NEON:
		start, third := lookup3Start(seed)
		whole := len(keys) &^ 3
		lookup3NEON(dst[:whole], keys[:whole], start, third)
		lookup3Generic(dst[whole:], keys[whole:], seed)
	default:
		lookup3Generic(dst, keys, seed)
	}
}
