//go:build !purego

package accumulate

import "simhashkit/asm/cpu"

const (
	needsI32AVX2       = cpu.ExtAVX | cpu.ExtAVX2 | cpu.ExtBMI2
	needsI32AVX512     = cpu.ExtAVX | cpu.ExtBMI2 | cpu.ExtAVX512F | cpu.ExtAVX512BW | cpu.ExtAVX512DQ | cpu.ExtAVX512VL
	needsI32AVX512GFNI = needsI32AVX512 | cpu.ExtAVX512VBMI | cpu.ExtAVX512VNNI | cpu.ExtGFNI
)

// I32Kernels returns the implementations of AddI32 and SketchI32, fastest first, generic last.
func I32Kernels() []I32Kernel {
	return []I32Kernel{
		{cpu.Kernel{Name: "avx512gfni", Tier: cpu.AVX512GFNI, Needs: needsI32AVX512GFNI}, addI32AVX512GFNI, signsI32AVX512GFNI},
		{cpu.Kernel{Name: "avx512", Tier: cpu.AVX512, Needs: needsI32AVX512}, addI32AVX512, signsI32AVX512},
		{cpu.Kernel{Name: "avx2", Tier: cpu.AVX2, Needs: needsI32AVX2}, addI32AVX2, signsI32AVX2},
		i32Generic,
	}
}

// AddI32 adds ±weights[i] to each lane; weights are int32, lanes int64.
func AddI32(lanes *[64]int64, codes []uint64, weights []int32) {
	sameLength(len(codes), len(weights))
	switch cpu.Active() {
	case cpu.AVX512GFNI:
		addI32AVX512GFNI(lanes, codes, weights)
	case cpu.AVX512:
		addI32AVX512(lanes, codes, weights)
	case cpu.AVX2:
		addI32AVX2(lanes, codes, weights)
	default:
		addI32Generic(lanes, codes, weights)
	}
}

// SketchI32 returns the signs of lanes that start from 0 and gain ±weights[i]; weights are int32,
// lanes int64.
func SketchI32(codes []uint64, weights []int32) Signs {
	sameLength(len(codes), len(weights))
	switch cpu.Active() {
	case cpu.AVX512GFNI:
		return signsI32AVX512GFNI(codes, weights)
	case cpu.AVX512:
		return signsI32AVX512(codes, weights)
	case cpu.AVX2:
		return signsI32AVX2(codes, weights)
	default:
		return sketchI32Generic(codes, weights)
	}
}

// narrowLimit is the number of weights from which on the form for sums of 32 bits is not asked:
// whatever they are, the sums may need more. The form looks at all weights first. Those within ±127
// it sums in lanes of 16 bits that it empties in time, or by multiplication of bytes.
const narrowLimit = 1 << 24

func addI32AVX512GFNI(lanes *[64]int64, codes []uint64, weights []int32) {
	if len(weights) >= narrowLimit || !addI32NarrowAVX512GFNI(lanes, codes, weights) {
		addI32WideAVX512GFNI(lanes, codes, weights)
	}
}

func signsI32AVX512GFNI(codes []uint64, weights []int32) Signs {
	if len(weights) < narrowLimit {
		if positive, zero, fits := sketchI32NarrowAVX512GFNI(codes, weights); fits {
			return Signs{Positive: positive, Zero: zero}
		}
	}
	positive, zero := sketchI32WideAVX512GFNI(codes, weights)
	return Signs{Positive: positive, Zero: zero}
}

func addI32AVX512(lanes *[64]int64, codes []uint64, weights []int32) {
	if len(weights) >= narrowLimit || !addI32NarrowAVX512(lanes, codes, weights) {
		addI32WideAVX512(lanes, codes, weights)
	}
}

func signsI32AVX512(codes []uint64, weights []int32) Signs {
	if len(weights) < narrowLimit {
		if positive, zero, fits := sketchI32NarrowAVX512(codes, weights); fits {
			return Signs{Positive: positive, Zero: zero}
		}
	}
	positive, zero := sketchI32WideAVX512(codes, weights)
	return Signs{Positive: positive, Zero: zero}
}

func addI32AVX2(lanes *[64]int64, codes []uint64, weights []int32) {
	var sums [64]int32
	if len(weights) >= narrowLimit || !addI32NarrowAVX2(lanes, &sums, codes, weights) {
		addI32WideAVX2(lanes, codes, weights)
	}
}

func signsI32AVX2(codes []uint64, weights []int32) Signs {
	if len(weights) < narrowLimit {
		var sums [64]int32
		if positive, zero, fits := sketchI32NarrowAVX2(&sums, codes, weights); fits {
			return Signs{Positive: positive, Zero: zero}
		}
	}
	positive, zero := sketchI32WideAVX2(codes, weights)
	return Signs{Positive: positive, Zero: zero}
}
