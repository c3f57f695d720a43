//go:build !purego

package accumulate

import "simhashkit/asm/cpu"

// The narrow kernels sum in 32 bits. They are not tried for narrowLimit weights or more, because
// 1<<31/127 weights may overflow 32 bits even if all of them are within ±127. A narrow kernel first
// checks all weights and reports whether the sums fit. It sums weights within ±127 in lanes of 16
// bits, which it empties before they overflow, or by multiplying bytes.
const narrowLimit = 1 << 24

func addI32At(tier cpu.Tier, lanes *[64]int64, codes []uint64, weights []int32) {
	sameLength(len(codes), len(weights))
	narrow := len(weights) < narrowLimit
	switch {
	case tier >= cpu.AVX512GFNI:
		if !narrow || !addI32NarrowAVX512GFNI(lanes, codes, weights) {
			addI32WideAVX512GFNI(lanes, codes, weights)
		}
	case tier >= cpu.AVX512:
		if !narrow || !addI32NarrowAVX512(lanes, codes, weights) {
			addI32WideAVX512(lanes, codes, weights)
		}
	case tier >= cpu.AVX2:
		var sums [64]int32
		if !narrow || !addI32NarrowAVX2(lanes, &sums, codes, weights) {
			addI32WideAVX2(lanes, codes, weights)
		}
	default:
		addGrouped(lanes, codes, weights)
	}
}

func sketchI32At(tier cpu.Tier, codes []uint64, weights []int32) Signs {
	sameLength(len(codes), len(weights))
	narrow := len(weights) < narrowLimit
	switch {
	case tier >= cpu.AVX512GFNI:
		if narrow {
			if signs, fits := sketchI32NarrowAVX512GFNI(codes, weights); fits {
				return signs
			}
		}
		return sketchI32WideAVX512GFNI(codes, weights)
	case tier >= cpu.AVX512:
		if narrow {
			if signs, fits := sketchI32NarrowAVX512(codes, weights); fits {
				return signs
			}
		}
		return sketchI32WideAVX512(codes, weights)
	case tier >= cpu.AVX2:
		if narrow {
			var sums [64]int32
			if signs, fits := sketchI32NarrowAVX2(&sums, codes, weights); fits {
				return signs
			}
		}
		return sketchI32WideAVX2(codes, weights)
	default:
		return sketchGrouped[int64](codes, weights)
	}
}
