//go:build !purego

package accumulate

import "simhashkit/asm/cpu"

const needsF32AVX512 = cpu.ExtAVX | cpu.ExtBMI2 | cpu.ExtAVX512F | cpu.ExtAVX512BW | cpu.ExtAVX512DQ | cpu.ExtAVX512VL

var f32Kernels = []cpu.Kernel{
	cpu.KernelAt(cpu.AVX512GFNI, needsF32AVX512|cpu.ExtAVX512VBMI|cpu.ExtGFNI),
	cpu.KernelAt(cpu.AVX512, needsF32AVX512),
	cpu.KernelAt(cpu.AVX2, cpu.ExtAVX|cpu.ExtAVX2),
	cpu.KernelAt(cpu.Generic, 0),
}

func addF32At(tier cpu.Tier, lanes *[64]float32, codes []uint64, weights []float32) {
	sameLength(len(codes), len(weights))
	switch tier {
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

func sketchF32At(tier cpu.Tier, codes []uint64, weights []float32) Signs {
	sameLength(len(codes), len(weights))
	switch tier {
	case cpu.AVX512GFNI:
		return sketchF32AVX512GFNI(codes, weights)
	case cpu.AVX512:
		return sketchF32AVX512(codes, weights)
	case cpu.AVX2:
		return sketchF32AVX2(codes, weights)
	default:
		return sketchF32Generic(codes, weights)
	}
}

const needsF64AVX512 = cpu.ExtAVX | cpu.ExtBMI2 | cpu.ExtAVX512F | cpu.ExtAVX512BW | cpu.ExtAVX512DQ

var f64Kernels = []cpu.Kernel{
	cpu.KernelAt(cpu.AVX512GFNI, needsF64AVX512|cpu.ExtAVX512VBMI|cpu.ExtGFNI),
	cpu.KernelAt(cpu.AVX512, needsF64AVX512),
	cpu.KernelAt(cpu.AVX2, cpu.ExtAVX|cpu.ExtAVX2|cpu.ExtBMI2),
	cpu.KernelAt(cpu.Generic, 0),
}

func addF64At(tier cpu.Tier, lanes *[64]float64, codes []uint64, weights []float64) {
	sameLength(len(codes), len(weights))
	switch tier {
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

func sketchF64At(tier cpu.Tier, codes []uint64, weights []float64) Signs {
	sameLength(len(codes), len(weights))
	switch tier {
	case cpu.AVX512GFNI:
		return sketchF64AVX512GFNI(codes, weights)
	case cpu.AVX512:
		return sketchF64AVX512(codes, weights)
	case cpu.AVX2:
		return sketchF64AVX2(codes, weights)
	default:
		return sketchF64Generic(codes, weights)
	}
}

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

const needsI32AVX512 = cpu.ExtAVX | cpu.ExtBMI2 | cpu.ExtAVX512F | cpu.ExtAVX512BW | cpu.ExtAVX512DQ | cpu.ExtAVX512VL

var i32Kernels = []cpu.Kernel{
	cpu.KernelAt(cpu.AVX512GFNI, needsI32AVX512|cpu.ExtAVX512VBMI|cpu.ExtAVX512VNNI|cpu.ExtGFNI),
	cpu.KernelAt(cpu.AVX512, needsI32AVX512),
	cpu.KernelAt(cpu.AVX2, cpu.ExtAVX|cpu.ExtAVX2|cpu.ExtBMI2),
	cpu.KernelAt(cpu.Generic, 0),
}

// The narrow kernels sum in 32 bits. They are not tried for narrowLimit weights or more, because
// 1<<31/127 weights may overflow 32 bits even if all of them are within ±127. A narrow kernel first
// checks all weights and reports whether the sums fit. It sums weights within ±127 in lanes of 16
// bits, which it empties before they overflow, or by multiplying bytes.
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
