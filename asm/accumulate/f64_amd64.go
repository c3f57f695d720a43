//go:build !purego

package accumulate

import "simhashkit/asm/cpu"

const (
	needsF64AVX2       = cpu.ExtAVX | cpu.ExtAVX2 | cpu.ExtBMI2
	needsF64AVX512     = cpu.ExtAVX | cpu.ExtBMI2 | cpu.ExtAVX512F | cpu.ExtAVX512BW | cpu.ExtAVX512DQ
	needsF64AVX512GFNI = needsF64AVX512 | cpu.ExtAVX512VBMI | cpu.ExtGFNI
)

// F64Kernels returns the implementations of AddF64 and SketchF64, fastest first, generic last.
func F64Kernels() []F64Kernel {
	return []F64Kernel{
		{cpu.Kernel{Name: "avx512gfni", Tier: cpu.AVX512GFNI, Needs: needsF64AVX512GFNI}, addF64AVX512GFNI, signsF64AVX512GFNI},
		{cpu.Kernel{Name: "avx512", Tier: cpu.AVX512, Needs: needsF64AVX512}, addF64AVX512, signsF64AVX512},
		{cpu.Kernel{Name: "avx2", Tier: cpu.AVX2, Needs: needsF64AVX2}, addF64AVX2, signsF64AVX2},
		f64Generic,
	}
}

// AddF64 adds ±weights[i] to each lane; weights and lanes are float64, in grouped order.
func AddF64(lanes *[64]float64, codes []uint64, weights []float64) {
	sameLength(len(codes), len(weights))
	switch cpu.Active() {
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

// SketchF64 returns the signs of lanes that start from 0 and gain ±weights[i]; weights and lanes
// are float64, in grouped order.
func SketchF64(codes []uint64, weights []float64) Signs {
	sameLength(len(codes), len(weights))
	switch cpu.Active() {
	case cpu.AVX512GFNI:
		return signsF64AVX512GFNI(codes, weights)
	case cpu.AVX512:
		return signsF64AVX512(codes, weights)
	case cpu.AVX2:
		return signsF64AVX2(codes, weights)
	default:
		return sketchF64Generic(codes, weights)
	}
}

// Assembly returns the three words one by one, as its calling convention wants it.

func signsF64AVX512GFNI(codes []uint64, weights []float64) Signs {
	positive, zero, nonFinite := sketchF64AVX512GFNI(codes, weights)
	return Signs{positive, zero, nonFinite}
}

func signsF64AVX512(codes []uint64, weights []float64) Signs {
	positive, zero, nonFinite := sketchF64AVX512(codes, weights)
	return Signs{positive, zero, nonFinite}
}

func signsF64AVX2(codes []uint64, weights []float64) Signs {
	positive, zero, nonFinite := sketchF64AVX2(codes, weights)
	return Signs{positive, zero, nonFinite}
}
