//go:build !purego

package accumulate

import "simhashkit/asm/cpu"

const needsI64AVX512 = cpu.ExtAVX | cpu.ExtBMI2 | cpu.ExtAVX512F | cpu.ExtAVX512BW | cpu.ExtAVX512DQ

var i64Kernels = []cpu.Kernel{
	cpu.KernelAt(cpu.AVX512GFNI, needsI64AVX512|cpu.ExtAVX512VBMI|cpu.ExtGFNI),
	cpu.KernelAt(cpu.AVX512, needsI64AVX512),
	cpu.KernelAt(cpu.AVX2, cpu.ExtAVX|cpu.ExtAVX2|cpu.ExtBMI2),
	cpu.KernelAt(cpu.Generic, 0),
}

func addI64At(tier cpu.Tier, lanes *[64]int64, codes []uint64, weights []int64) {
	sameLength(len(codes), len(weights))
	switch tier {
	case cpu.AVX512GFNI:
		addI64AVX512GFNI(lanes, codes, weights)
	case cpu.AVX512:
		addI64AVX512(lanes, codes, weights)
	case cpu.AVX2:
		addI64AVX2(lanes, codes, weights)
	default:
		addI64Generic(lanes, codes, weights)
	}
}

func sketchI64At(tier cpu.Tier, codes []uint64, weights []int64) Signs {
	sameLength(len(codes), len(weights))
	switch tier {
	case cpu.AVX512GFNI:
		return sketchI64AVX512GFNI(codes, weights)
	case cpu.AVX512:
		return sketchI64AVX512(codes, weights)
	case cpu.AVX2:
		return sketchI64AVX2(codes, weights)
	default:
		return sketchI64Generic(codes, weights)
	}
}
