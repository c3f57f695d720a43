//go:build !purego

package accumulate

import "simhashkit/asm/cpu"

const (
	needsF64SequentialAVX512     = cpu.ExtAVX | cpu.ExtBMI2 | cpu.ExtAVX512F | cpu.ExtAVX512BW | cpu.ExtAVX512DQ
	needsF64SequentialAVX512GFNI = needsF64SequentialAVX512 | cpu.ExtAVX512VBMI | cpu.ExtGFNI
)

// F64SequentialKernels returns the implementations of AddF64Sequential and SketchF64Sequential,
// fastest first, generic last.
func F64SequentialKernels() []F64Kernel {
	return []F64Kernel{
		{cpu.Kernel{Name: "avx512gfni", Tier: cpu.AVX512GFNI, Needs: needsF64SequentialAVX512GFNI}, addF64SequentialAVX512GFNI, signsF64SequentialAVX512GFNI},
		{cpu.Kernel{Name: "avx512", Tier: cpu.AVX512, Needs: needsF64SequentialAVX512}, addF64SequentialAVX512, signsF64SequentialAVX512},
		f64SequentialGeneric,
	}
}

// AddF64Sequential adds ±weights[i] to each lane, one feature after the other, in float64.
func AddF64Sequential(lanes *[64]float64, codes []uint64, weights []float64) {
	sameLength(len(codes), len(weights))
	switch cpu.Active() {
	case cpu.AVX512GFNI:
		addF64SequentialAVX512GFNI(lanes, codes, weights)
	case cpu.AVX512:
		addF64SequentialAVX512(lanes, codes, weights)
	default:
		addF64SequentialGeneric(lanes, codes, weights)
	}
}

// SketchF64Sequential returns the signs of lanes that start from +0 and gain ±weights[i], one
// feature after the other, in float64.
func SketchF64Sequential(codes []uint64, weights []float64) Signs {
	sameLength(len(codes), len(weights))
	switch cpu.Active() {
	case cpu.AVX512GFNI:
		return signsF64SequentialAVX512GFNI(codes, weights)
	case cpu.AVX512:
		return signsF64SequentialAVX512(codes, weights)
	default:
		return sketchF64SequentialGeneric(codes, weights)
	}
}

func signsF64SequentialAVX512GFNI(codes []uint64, weights []float64) Signs {
	positive, zero, nonFinite := sketchF64SequentialAVX512GFNI(codes, weights)
	return Signs{positive, zero, nonFinite}
}

func signsF64SequentialAVX512(codes []uint64, weights []float64) Signs {
	positive, zero, nonFinite := sketchF64SequentialAVX512(codes, weights)
	return Signs{positive, zero, nonFinite}
}
