//go:build !purego

package accumulate

import "simhashkit/asm/cpu"

const (
	needsF32SequentialAVX512     = cpu.ExtAVX | cpu.ExtBMI2 | cpu.ExtAVX512F | cpu.ExtAVX512BW | cpu.ExtAVX512DQ | cpu.ExtAVX512VL
	needsF32SequentialAVX512GFNI = needsF32SequentialAVX512 | cpu.ExtAVX512VBMI | cpu.ExtGFNI
)

// F32SequentialKernels returns the implementations of AddF32Sequential and SketchF32Sequential,
// fastest first, generic last.
func F32SequentialKernels() []F32Kernel {
	return []F32Kernel{
		{cpu.Kernel{Name: "avx512gfni", Tier: cpu.AVX512GFNI, Needs: needsF32SequentialAVX512GFNI}, addF32SequentialAVX512GFNI, signsF32SequentialAVX512GFNI},
		{cpu.Kernel{Name: "avx512", Tier: cpu.AVX512, Needs: needsF32SequentialAVX512}, addF32SequentialAVX512, signsF32SequentialAVX512},
		f32SequentialGeneric,
	}
}

// AddF32Sequential adds ±weights[i] to each lane, one feature after the other, in float32.
func AddF32Sequential(lanes *[64]float32, codes []uint64, weights []float32) {
	sameLength(len(codes), len(weights))
	switch cpu.Active() {
	case cpu.AVX512GFNI:
		addF32SequentialAVX512GFNI(lanes, codes, weights)
	case cpu.AVX512:
		addF32SequentialAVX512(lanes, codes, weights)
	default:
		addF32SequentialGeneric(lanes, codes, weights)
	}
}

// SketchF32Sequential returns the signs of lanes that start from +0 and gain ±weights[i], one
// feature after the other, in float32.
func SketchF32Sequential(codes []uint64, weights []float32) Signs {
	sameLength(len(codes), len(weights))
	switch cpu.Active() {
	case cpu.AVX512GFNI:
		return signsF32SequentialAVX512GFNI(codes, weights)
	case cpu.AVX512:
		return signsF32SequentialAVX512(codes, weights)
	default:
		return sketchF32SequentialGeneric(codes, weights)
	}
}

func signsF32SequentialAVX512GFNI(codes []uint64, weights []float32) Signs {
	positive, zero, nonFinite := sketchF32SequentialAVX512GFNI(codes, weights)
	return Signs{positive, zero, nonFinite}
}

func signsF32SequentialAVX512(codes []uint64, weights []float32) Signs {
	positive, zero, nonFinite := sketchF32SequentialAVX512(codes, weights)
	return Signs{positive, zero, nonFinite}
}
