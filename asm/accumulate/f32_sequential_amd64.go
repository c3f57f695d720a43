//go:build !purego

package accumulate

import "simhashkit/asm/cpu"

const needsF32SequentialAVX512 = cpu.ExtAVX | cpu.ExtBMI2 | cpu.ExtAVX512F | cpu.ExtAVX512BW | cpu.ExtAVX512DQ | cpu.ExtAVX512VL

var f32SequentialKernels = []cpu.Kernel{
	cpu.KernelAt(cpu.AVX512GFNI, needsF32SequentialAVX512|cpu.ExtAVX512VBMI|cpu.ExtGFNI),
	cpu.KernelAt(cpu.AVX512, needsF32SequentialAVX512),
	cpu.KernelAt(cpu.Generic, 0),
}

func addF32SequentialAt(tier cpu.Tier, lanes *[64]float32, codes []uint64, weights []float32) {
	sameLength(len(codes), len(weights))
	switch tier {
	case cpu.AVX512GFNI:
		addF32SequentialAVX512GFNI(lanes, codes, weights)
	case cpu.AVX512:
		addF32SequentialAVX512(lanes, codes, weights)
	default:
		addF32SequentialGeneric(lanes, codes, weights)
	}
}

func sketchF32SequentialAt(tier cpu.Tier, codes []uint64, weights []float32) Signs {
	sameLength(len(codes), len(weights))
	switch tier {
	case cpu.AVX512GFNI:
		return sketchF32SequentialAVX512GFNI(codes, weights)
	case cpu.AVX512:
		return sketchF32SequentialAVX512(codes, weights)
	default:
		return sketchF32SequentialGeneric(codes, weights)
	}
}
