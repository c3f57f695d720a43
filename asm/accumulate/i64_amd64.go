//go:build !purego

package accumulate

import "simhashkit/asm/cpu"

const (
	needsI64AVX2       = cpu.ExtAVX | cpu.ExtAVX2 | cpu.ExtBMI2
	needsI64AVX512     = cpu.ExtAVX | cpu.ExtBMI2 | cpu.ExtAVX512F | cpu.ExtAVX512BW | cpu.ExtAVX512DQ
	needsI64AVX512GFNI = needsI64AVX512 | cpu.ExtAVX512VBMI | cpu.ExtGFNI
)

// I64Kernels returns the implementations of AddI64 and SketchI64, fastest first, generic last.
func I64Kernels() []I64Kernel {
	return []I64Kernel{
		{cpu.Kernel{Name: "avx512gfni", Tier: cpu.AVX512GFNI, Needs: needsI64AVX512GFNI}, addI64AVX512GFNI, signsI64AVX512GFNI},
		{cpu.Kernel{Name: "avx512", Tier: cpu.AVX512, Needs: needsI64AVX512}, addI64AVX512, signsI64AVX512},
		{cpu.Kernel{Name: "avx2", Tier: cpu.AVX2, Needs: needsI64AVX2}, addI64AVX2, signsI64AVX2},
		i64Generic,
	}
}

// AddI64 adds ±weights[i] to each lane; weights are int64, lanes int64 that wrap.
func AddI64(lanes *[64]int64, codes []uint64, weights []int64) {
	sameLength(len(codes), len(weights))
	switch cpu.Active() {
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

// SketchI64 returns the signs of lanes that start from 0 and gain ±weights[i]; weights are int64,
// lanes int64 that wrap.
func SketchI64(codes []uint64, weights []int64) Signs {
	sameLength(len(codes), len(weights))
	switch cpu.Active() {
	case cpu.AVX512GFNI:
		return signsI64AVX512GFNI(codes, weights)
	case cpu.AVX512:
		return signsI64AVX512(codes, weights)
	case cpu.AVX2:
		return signsI64AVX2(codes, weights)
	default:
		return sketchI64Generic(codes, weights)
	}
}

func signsI64AVX512GFNI(codes []uint64, weights []int64) Signs {
	positive, zero := sketchI64AVX512GFNI(codes, weights)
	return Signs{Positive: positive, Zero: zero}
}

func signsI64AVX512(codes []uint64, weights []int64) Signs {
	positive, zero := sketchI64AVX512(codes, weights)
	return Signs{Positive: positive, Zero: zero}
}

func signsI64AVX2(codes []uint64, weights []int64) Signs {
	positive, zero := sketchI64AVX2(codes, weights)
	return Signs{Positive: positive, Zero: zero}
}
