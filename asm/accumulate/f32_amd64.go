//go:build !purego

package accumulate

import "simhashkit/asm/cpu"

const (
	needsF32AVX2       = cpu.ExtAVX | cpu.ExtAVX2
	needsF32AVX512     = cpu.ExtAVX | cpu.ExtBMI2 | cpu.ExtAVX512F | cpu.ExtAVX512BW | cpu.ExtAVX512DQ | cpu.ExtAVX512VL
	needsF32AVX512GFNI = needsF32AVX512 | cpu.ExtAVX512VBMI | cpu.ExtGFNI
)

// F32Kernels returns the implementations of AddF32 and SketchF32, fastest first, generic last.
func F32Kernels() []F32Kernel {
	return []F32Kernel{
		{cpu.Kernel{Name: "avx512gfni", Tier: cpu.AVX512GFNI, Needs: needsF32AVX512GFNI}, addF32AVX512GFNI, signsF32AVX512GFNI},
		{cpu.Kernel{Name: "avx512", Tier: cpu.AVX512, Needs: needsF32AVX512}, addF32AVX512, signsF32AVX512},
		{cpu.Kernel{Name: "avx2", Tier: cpu.AVX2, Needs: needsF32AVX2}, addF32AVX2, signsF32AVX2},
		f32Generic,
	}
}

// AddF32 adds ±weights[i] to each lane, in grouped order.
func AddF32(lanes *[64]float32, codes []uint64, weights []float32) {
	sameLength(len(codes), len(weights))
	switch cpu.Active() {
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

// SketchF32 returns the signs of lanes that start from +0 and gain ±weights[i], in grouped order.
func SketchF32(codes []uint64, weights []float32) Signs {
	sameLength(len(codes), len(weights))
	switch cpu.Active() {
	case cpu.AVX512GFNI:
		return signsF32AVX512GFNI(codes, weights)
	case cpu.AVX512:
		return signsF32AVX512(codes, weights)
	case cpu.AVX2:
		return signsF32AVX2(codes, weights)
	default:
		return sketchF32Generic(codes, weights)
	}
}

// Assembly returns the three words one by one, as its calling convention wants it.

func signsF32AVX512GFNI(codes []uint64, weights []float32) Signs {
	positive, zero, nonFinite := sketchF32AVX512GFNI(codes, weights)
	return Signs{positive, zero, nonFinite}
}

func signsF32AVX512(codes []uint64, weights []float32) Signs {
	positive, zero, nonFinite := sketchF32AVX512(codes, weights)
	return Signs{positive, zero, nonFinite}
}

func signsF32AVX2(codes []uint64, weights []float32) Signs {
	positive, zero, nonFinite := sketchF32AVX2(codes, weights)
	return Signs{positive, zero, nonFinite}
}
