//go:build !purego

package accumulate

import "simhashkit/asm/cpu"

var f32Kernels = []cpu.Kernel{
	cpu.KernelAt(cpu.NEON, cpu.ExtASIMD),
	cpu.KernelAt(cpu.Generic, 0),
}

func addF32At(tier cpu.Tier, lanes *[64]float32, codes []uint64, weights []float32) {
	sameLength(len(codes), len(weights))
	switch tier {
	case cpu.NEON:
		addF32NEON(lanes, codes, weights)
	default:
		addF32Generic(lanes, codes, weights)
	}
}

func sketchF32At(tier cpu.Tier, codes []uint64, weights []float32) Signs {
	sameLength(len(codes), len(weights))
	switch tier {
	case cpu.NEON:
		var lanes [64]float32
		addF32NEON(&lanes, codes, weights)
		return SignsF32(&lanes)
	default:
		return sketchF32Generic(codes, weights)
	}
}
