//go:build !purego

package accumulate

import "simhashkit/asm/cpu"

const needsF64AVX512 = cpu.ExtAVX | cpu.ExtBMI2 | cpu.ExtAVX512F | cpu.ExtAVX512BW | cpu.ExtAVX512DQ

var f64Kernels = []cpu.Kernel{
	cpu.KernelAt(cpu.AVX512GFNI, needsF64AVX512|cpu.ExtAVX512VBMI|cpu.ExtGFNI),
	cpu.KernelAt(cpu.AVX512, needsF64AVX512),
	cpu.KernelAt(cpu.AVX2, cpu.ExtAVX|cpu.ExtAVX2|cpu.ExtBMI2),
	cpu.KernelAt(cpu.Generic, 0),
}

func addF64At(tier cpu.Tier, lanes *[64]float64, codes []uint64, weights []float64) {
	sameLength(len(codes), len(weights))
	switch tier {
	case cpu.AVX512GFNI:
		addF64AVX512GFNI(lanes, codes, weights)
	case cpu.AVX512:
		addF64AVX512(lanes, codes, weights)
	case cpu.AVX2:
		addF64AVX2(lanes, codes, weights)
	default:
		addF64Generic(lanes, codes, weights)
	}
}

func sketchF64At(tier cpu.Tier, codes []uint64, weights []float64) Signs {
	sameLength(len(codes), len(weights))
	switch tier {
	case cpu.AVX512GFNI:
		return sketchF64AVX512GFNI(codes, weights)
	case cpu.AVX512:
		return sketchF64AVX512(codes, weights)
	case cpu.AVX2:
		return sketchF64AVX2(codes, weights)
	default:
		return sketchF64Generic(codes, weights)
	}
}
