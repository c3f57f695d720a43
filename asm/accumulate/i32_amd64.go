//go:build !purego

package accumulate

import (
	"math/bits"

	"simhashkit/asm/cpu"
)

const (
	needsI32AVX2       = cpu.ExtAVX | cpu.ExtAVX2
	needsI32AVX512     = cpu.ExtAVX | cpu.ExtAVX2 | cpu.ExtBMI2 | cpu.ExtAVX512F | cpu.ExtAVX512BW | cpu.ExtAVX512DQ | cpu.ExtAVX512VL
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

// SketchI32 returns the signs of lanes that start from 0 and gain ±weights[i]; weights are int32, lanes int64.
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

// form is how i32 weights are summed.
type form uint32

// The forms that a look chooses from, as it numbers them.
const (
	smallForm  form = iota // lanes of 16 bits that are emptied in time: weights within ±127
	narrowForm             // lanes of 32 bits, which hold every sum
	wideForm               // lanes of 64 bits
)

// lookLimit is the number of weights from which on no look is taken: whatever they are, the sums may need more than 32 bits.
const lookLimit = 1 << 24

// tooWide returns the bits that absolute values of n weights, fewer than lookLimit, must not have if every sum is to stay below 1<<31.
func tooWide(n int) uint32 { return ^uint32(0) << (31 - bits.Len(uint(n))) }

func lookAtAVX512GFNI(weights []int32) (form, int32) {
	if len(weights) >= lookLimit {
		return wideForm, 0
	}
	f, total := lookI32AVX512GFNI(weights, tooWide(len(weights)))
	return form(f), int32(total)
}

func addI32AVX512GFNI(lanes *[64]int64, codes []uint64, weights []int32) {
	switch f, total := lookAtAVX512GFNI(weights); f {
	case smallForm:
		addI32SmallAVX512GFNI(lanes, codes, weights, total)
	case narrowForm:
		addI32NarrowAVX512GFNI(lanes, codes, weights)
	default:
		addI32WideAVX512GFNI(lanes, codes, weights)
	}
}

func signsI32AVX512GFNI(codes []uint64, weights []int32) Signs {
	var positive, zero uint64
	switch f, total := lookAtAVX512GFNI(weights); f {
	case smallForm:
		positive, zero = sketchI32SmallAVX512GFNI(codes, weights, total)
	case narrowForm:
		positive, zero = sketchI32NarrowAVX512GFNI(codes, weights)
	default:
		positive, zero = sketchI32WideAVX512GFNI(codes, weights)
	}
	return Signs{Positive: positive, Zero: zero}
}

func lookAtAVX512(weights []int32) (form, int32) {
	if len(weights) >= lookLimit {
		return wideForm, 0
	}
	f, total := lookI32AVX512(weights, tooWide(len(weights)))
	return form(f), int32(total)
}

func addI32AVX512(lanes *[64]int64, codes []uint64, weights []int32) {
	switch f, total := lookAtAVX512(weights); f {
	case smallForm:
		addI32SmallAVX512(lanes, codes, weights, total)
	case narrowForm:
		addI32NarrowAVX512(lanes, codes, weights)
	default:
		addI32WideAVX512(lanes, codes, weights)
	}
}

func signsI32AVX512(codes []uint64, weights []int32) Signs {
	var positive, zero uint64
	switch f, total := lookAtAVX512(weights); f {
	case smallForm:
		positive, zero = sketchI32SmallAVX512(codes, weights, total)
	case narrowForm:
		positive, zero = sketchI32NarrowAVX512(codes, weights)
	default:
		positive, zero = sketchI32WideAVX512(codes, weights)
	}
	return Signs{Positive: positive, Zero: zero}
}

func lookAtAVX2(weights []int32) (form, int32) {
	if len(weights) >= lookLimit {
		return wideForm, 0
	}
	f, total := lookI32AVX2(weights, tooWide(len(weights)))
	return form(f), int32(total)
}

func addI32AVX2(lanes *[64]int64, codes []uint64, weights []int32) {
	switch f, total := lookAtAVX2(weights); f {
	case smallForm:
		var sums [64]int32
		sumI32SmallAVX2(&sums, codes, weights)
		for i, sum := range sums { // of lane 8y+i at 8i+y
			lanes[i%8*8+i/8] += 2*int64(sum) - int64(total)
		}
	case narrowForm:
		addI32NarrowAVX2(lanes, codes, weights)
	default:
		addI32WideAVX2(lanes, codes, weights)
	}
}

func signsI32AVX2(codes []uint64, weights []int32) Signs {
	var positive, zero uint64
	switch f, total := lookAtAVX2(weights); f {
	case smallForm:
		var sums [64]int32
		sumI32SmallAVX2(&sums, codes, weights)
		positive, zero = signsI32SmallAVX2(&sums, total)
	case narrowForm:
		positive, zero = sketchI32NarrowAVX2(codes, weights)
	default:
		var lanes [64]int64
		addI32WideAVX2(&lanes, codes, weights)
		return SignsI64(&lanes)
	}
	return Signs{Positive: positive, Zero: zero}
}
