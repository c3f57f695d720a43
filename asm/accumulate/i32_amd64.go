//go:build !purego

package accumulate

import "simhashkit/asm/cpu"

const needsI32AVX512 = cpu.ExtAVX | cpu.ExtBMI2 | cpu.ExtAVX512F | cpu.ExtAVX512BW | cpu.ExtAVX512DQ | cpu.ExtAVX512VL

var i32Kernels = []cpu.Kernel{
	cpu.KernelAt(cpu.AVX512GFNI, needsI32AVX512|cpu.ExtAVX512VBMI|cpu.ExtAVX512VNNI|cpu.ExtGFNI),
	cpu.KernelAt(cpu.AVX512, needsI32AVX512),
	cpu.KernelAt(cpu.AVX2, cpu.ExtAVX|cpu.ExtAVX2|cpu.ExtBMI2),
	cpu.KernelAt(cpu.Generic, 0),
}

// narrowLimit is the number of weights from which on the form for sums of 32 bits is not asked.
// From 1<<31/127 on they may need more even where all weights are within ±127. The form looks at
// all weights first. Those within ±127 it sums in lanes of 16 bits that it empties in time, or by
// multiplication of bytes.
const narrowLimit = 1 << 24

func addI32At(tier cpu.Tier, lanes *[64]int64, codes []uint64, weights []int32) {
	sameLength(len(codes), len(weights))
	narrow := len(weights) < narrowLimit
	switch tier {
	case cpu.AVX512GFNI:
		if !narrow || !addI32NarrowAVX512GFNI(lanes, codes, weights) {
			addI32WideAVX512GFNI(lanes, codes, weights)
		}
	case cpu.AVX512:
		if !narrow || !addI32NarrowAVX512(lanes, codes, weights) {
			addI32WideAVX512(lanes, codes, weights)
		}
	case cpu.AVX2:
		var sums [64]int32
		if !narrow || !addI32NarrowAVX2(lanes, &sums, codes, weights) {
			addI32WideAVX2(lanes, codes, weights)
		}
	default:
		addI32Generic(lanes, codes, weights)
	}
}

func sketchI32At(tier cpu.Tier, codes []uint64, weights []int32) Signs {
	sameLength(len(codes), len(weights))
	narrow := len(weights) < narrowLimit
	switch tier {
	case cpu.AVX512GFNI:
		if narrow {
			if signs, fits := sketchI32NarrowAVX512GFNI(codes, weights); fits {
				return signs
			}
		}
		return sketchI32WideAVX512GFNI(codes, weights)
	case cpu.AVX512:
		if narrow {
			if signs, fits := sketchI32NarrowAVX512(codes, weights); fits {
				return signs
			}
		}
		return sketchI32WideAVX512(codes, weights)
	case cpu.AVX2:
		if narrow {
			var sums [64]int32
			if signs, fits := sketchI32NarrowAVX2(&sums, codes, weights); fits {
				return signs
			}
		}
		return sketchI32WideAVX2(codes, weights)
	default:
		return sketchI32Generic(codes, weights)
	}
}
