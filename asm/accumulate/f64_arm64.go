//go:build !purego

package accumulate

import "simhashkit/asm/cpu"

var f64Kernels = []cpu.Kernel{
	cpu.KernelAt(cpu.NEON, cpu.ExtASIMD),
	cpu.KernelAt(cpu.Generic, 0),
}

func addF64At(tier cpu.Tier, lanes *[64]float64, codes []uint64, weights []float64) {
	sameLength(len(codes), len(weights))
	switch tier {
	case cpu.NEON:
		addF64NEON(lanes, codes, weights)
	default:
		addF64Generic(lanes, codes, weights)
	}
}

func sketchF64At(tier cpu.Tier, codes []uint64, weights []float64) Signs {
	sameLength(len(codes), len(weights))
	switch tier {
	case cpu.NEON:
		var lanes [64]float64
		addF64NEON(&lanes, codes, weights)
		return SignsF64(&lanes)
	default:
		return sketchF64Generic(codes, weights)
	}
}
