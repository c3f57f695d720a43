//go:build !purego

package accumulate

import "simhashkit/asm/cpu"

const needsF32AVX512 = cpu.ExtAVX | cpu.ExtBMI2 | cpu.ExtAVX512F | cpu.ExtAVX512BW | cpu.ExtAVX512DQ | cpu.ExtAVX512VL

var f32Kernels = []cpu.Kernel{
	cpu.KernelAt(cpu.AVX512GFNI, needsF32AVX512|cpu.ExtAVX512VBMI|cpu.ExtGFNI),
	cpu.KernelAt(cpu.AVX512, needsF32AVX512),
	cpu.KernelAt(cpu.AVX2, cpu.ExtAVX|cpu.ExtAVX2),
	cpu.KernelAt(cpu.Generic, 0),
}

func addF32At(tier cpu.Tier, lanes *[64]float32, codes []uint64, weights []float32) {
	sameLength(len(codes), len(weights))
	switch tier {
	case cpu.AVX512GFNI:
		addF32AVX512GFNI(lanes, codes, weights)
	case cpu.AVX512:
		addF32AVX512(lanes, codes, weights)
	case cpu.AVX2:
		addF32AVX2(lanes, codes, weights)
	default:
		addF32Generic(lanes, codes, weights)
	}
}

func sketchF32At(tier cpu.Tier, codes []uint64, weights []float32) Signs {
	sameLength(len(codes), len(weights))
	switch tier {
	case cpu.AVX512GFNI:
		return sketchF32AVX512GFNI(codes, weights)
	case cpu.AVX512:
		return sketchF32AVX512(codes, weights)
	case cpu.AVX2:
		return sketchF32AVX2(codes, weights)
	default:
		return sketchF32Generic(codes, weights)
	}
}
