//go:build !purego

package accumulate

import "simhashkit/asm/cpu"

var i64Kernels = []cpu.Kernel{
	cpu.KernelAt(cpu.NEON, cpu.ExtASIMD),
	cpu.KernelAt(cpu.Generic, 0),
}

func addI64At(tier cpu.Tier, lanes *[64]int64, codes []uint64, weights []int64) {
	sameLength(len(codes), len(weights))
	switch tier {
	case cpu.NEON:
		addI64NEON(lanes, codes, weights)
	default:
		addI64Generic(lanes, codes, weights)
	}
}

func sketchI64At(tier cpu.Tier, codes []uint64, weights []int64) Signs {
	sameLength(len(codes), len(weights))
	switch tier {
	case cpu.NEON:
		var lanes [64]int64
		addI64NEON(&lanes, codes, weights)
		return SignsI64(&lanes)
	default:
		return sketchI64Generic(codes, weights)
	}
}
