package accumulate

import "simhashkit/asm/cpu"

// F64SequentialKernels returns the implementations of AddF64Sequential and SketchF64Sequential,
// fastest first, generic last.
func F64SequentialKernels() []F64Kernel {
	return weightedKernels(f64SequentialKernels, addF64SequentialAt, sketchF64SequentialAt)
}

// AddF64Sequential adds ±weights[i] to each lane, one feature after the other, in float64.
func AddF64Sequential(lanes *[64]float64, codes []uint64, weights []float64) {
	addF64SequentialAt(cpu.Active(), lanes, codes, weights)
}

// SketchF64Sequential returns the signs of lanes that start from +0 and gain ±weights[i], one
// feature after the other, in float64.
func SketchF64Sequential(codes []uint64, weights []float64) Signs {
	return sketchF64SequentialAt(cpu.Active(), codes, weights)
}

func addF64SequentialGeneric(lanes *[64]float64, codes []uint64, weights []float64) {
	addSequential(lanes, codes, weights)
}

func sketchF64SequentialGeneric(codes []uint64, weights []float64) Signs {
	var lanes [64]float64
	addSequential(&lanes, codes, weights)
	return SignsF64(&lanes)
}
