//go:build !purego

package accumulate

import "simhashkit/asm/cpu"

const needsF64SequentialAVX512 = cpu.ExtAVX | cpu.ExtBMI2 | cpu.ExtAVX512F | cpu.ExtAVX512BW | cpu.ExtAVX512DQ

var f64SequentialKernels = []cpu.Kernel{
	cpu.KernelAt(cpu.AVX512GFNI, needsF64SequentialAVX512|cpu.ExtAVX512VBMI|cpu.ExtGFNI),
	cpu.KernelAt(cpu.AVX512, needsF64SequentialAVX512),
	cpu.KernelAt(cpu.Generic, 0),
}

func addF64SequentialAt(tier cpu.Tier, lanes *[64]float64, codes []uint64, weights []float64) {
	sameLength(len(codes), len(weights))
	switch tier {
	case cpu.AVX512GFNI:
		addF64SequentialAVX512GFNI(lanes, codes, weights)
	case cpu.AVX512:
		addF64SequentialAVX512(lanes, codes, weights)
	default:
		addF64SequentialGeneric(lanes, codes, weights)
	}
}

func sketchF64SequentialAt(tier cpu.Tier, codes []uint64, weights []float64) Signs {
	sameLength(len(codes), len(weights))
	switch tier {
	case cpu.AVX512GFNI:
		return sketchF64SequentialAVX512GFNI(codes, weights)
	case cpu.AVX512:
		return sketchF64SequentialAVX512(codes, weights)
	default:
		return sketchF64SequentialGeneric(codes, weights)
	}
}
