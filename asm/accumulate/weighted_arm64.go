//go:build !purego

package accumulate

import (
	"math/bits"

	"simhashkit/asm/cpu"
)

var f32Kernels = []cpu.Kernel{
	cpu.KernelAt(cpu.NEON, cpu.ExtASIMD),
	cpu.KernelAt(cpu.Generic, 0),
}

func addF32At(tier cpu.Tier, lanes *[64]float32, codes []uint64, weights []float32) {
	sameLength(len(codes), len(weights))
	switch tier {
	case cpu.NEON:
		addF32NEON(lanes, codes, weights)
	default:
		addF32Generic(lanes, codes, weights)
	}
}

func sketchF32At(tier cpu.Tier, codes []uint64, weights []float32) Signs {
	sameLength(len(codes), len(weights))
	switch tier {
	case cpu.NEON:
		var lanes [64]float32
		addF32NEON(&lanes, codes, weights)
		return SignsF32(&lanes)
	default:
		return sketchF32Generic(codes, weights)
	}
}

var f64Kernels = []cpu.Kernel{
	cpu.KernelAt(cpu.NEON, cpu.ExtASIMD),
	cpu.KernelAt(cpu.Generic, 0),
}

func addF64At(tier cpu.Tier, lanes *[64]float64, codes []uint64, weights []float64) {
	sameLength(len(codes), len(weights))
	switch tier {
	case cpu.NEON:
		addF64NEON(lanes, codes, weights)
	default:
		addF64Generic(lanes, codes, weights)
	}
}

func sketchF64At(tier cpu.Tier, codes []uint64, weights []float64) Signs {
	sameLength(len(codes), len(weights))
	switch tier {
	case cpu.NEON:
		var lanes [64]float64
		addF64NEON(&lanes, codes, weights)
		return SignsF64(&lanes)
	default:
		return sketchF64Generic(codes, weights)
	}
}

var i64Kernels = []cpu.Kernel{
	cpu.KernelAt(cpu.NEON, cpu.ExtASIMD),
	cpu.KernelAt(cpu.Generic, 0),
}

func addI64At(tier cpu.Tier, lanes *[64]int64, codes []uint64, weights []int64) {
	sameLength(len(codes), len(weights))
	switch tier {
	case cpu.NEON:
		addI64NEON(lanes, codes, weights)
	default:
		addI64Generic(lanes, codes, weights)
	}
}

func sketchI64At(tier cpu.Tier, codes []uint64, weights []int64) Signs {
	sameLength(len(codes), len(weights))
	switch tier {
	case cpu.NEON:
		var lanes [64]int64
		addI64NEON(&lanes, codes, weights)
		return SignsI64(&lanes)
	default:
		return sketchI64Generic(codes, weights)
	}
}

var i32Kernels = []cpu.Kernel{
	cpu.KernelAt(cpu.NEON, cpu.ExtASIMD),
	cpu.KernelAt(cpu.Generic, 0),
}

func addI32At(tier cpu.Tier, lanes *[64]int64, codes []uint64, weights []int32) {
	sameLength(len(codes), len(weights))
	switch {
	case tier != cpu.NEON:
		addI32Generic(lanes, codes, weights)
	case fitsNarrow(weights):
		var sums [64]int32
		addI32NarrowNEON(&sums, codes, weights)
		for j, sum := range sums {
			lanes[j] += int64(sum)
		}
	default:
		addI32Wide(lanes, codes, weights)
	}
}

func sketchI32At(tier cpu.Tier, codes []uint64, weights []int32) Signs {
	sameLength(len(codes), len(weights))
	if tier != cpu.NEON {
		return sketchI32Generic(codes, weights)
	}
	var lanes [64]int64
	addI32At(tier, &lanes, codes, weights)
	return SignsI64(&lanes)
}

// fitsNarrow reports whether the sum of the magnitudes of the weights certainly fits in 32 bits.
func fitsNarrow(weights []int32) bool {
	return bits.Len(uint(len(weights)))+bits.Len32(magnitudesI32NEON(weights)) <= 31
}

// addI32Wide converts the weights to int64, a piece at a time, and adds them.
func addI32Wide(lanes *[64]int64, codes []uint64, weights []int32) {
	var wide [128]int64
	for len(weights) > 0 {
		n := min(len(weights), len(wide))
		for i, w := range weights[:n] {
			wide[i] = int64(w)
		}
		addI64NEON(lanes, codes[:n], wide[:n])
		codes, weights = codes[n:], weights[n:]
	}
}
