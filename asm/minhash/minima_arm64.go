//go:build !purego

package minhash

import "simhashkit/asm/cpu"

var minimaKernels = []cpu.Kernel{
	cpu.KernelAt(cpu.NEON, cpu.ExtASIMD),
	cpu.KernelAt(cpu.Generic, 0),
}

func addAt(tier cpu.Tier, minima *[64]uint32, functions *[2][64]uint32, keys []uint64) {
	switch tier {
	case cpu.NEON:
		addNEON(minima, functions, keys)
	default:
		addGeneric(minima, functions, keys)
	}
}

func bitsAt(tier cpu.Tier, minima *[64]uint32) uint64 {
	switch tier {
	case cpu.NEON:
		return bitsNEON(minima)
	default:
		return bitsGeneric(minima)
	}
}
