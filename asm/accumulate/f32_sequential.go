package accumulate

import "simhashkit/asm/cpu"

// F32SequentialKernels returns the implementations of AddF32Sequential and SketchF32Sequential,
// fastest first, generic last.
func F32SequentialKernels() []F32Kernel {
	return weightedKernels(f32SequentialKernels, addF32SequentialAt, sketchF32SequentialAt)
}

// AddF32Sequential adds ±weights[i] to each lane, one feature after the other, in float32.
func AddF32Sequential(lanes *[64]float32, codes []uint64, weights []float32) {
	addF32SequentialAt(cpu.Active(), lanes, codes, weights)
}

// SketchF32Sequential returns the signs of lanes that start from +0 and gain ±weights[i], one
// feature after the other, in float32.
func SketchF32Sequential(codes []uint64, weights []float32) Signs {
	return sketchF32SequentialAt(cpu.Active(), codes, weights)
}

func addF32SequentialGeneric(lanes *[64]float32, codes []uint64, weights []float32) {
	addSequential(lanes, codes, weights)
}

func sketchF32SequentialGeneric(codes []uint64, weights []float32) Signs {
	var lanes [64]float32
	addSequential(&lanes, codes, weights)
	return SignsF32(&lanes)
}
