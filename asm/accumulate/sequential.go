package accumulate

import "simhashkit/asm/cpu"

// F32SequentialKernels returns the implementations of AddF32Sequential and SketchF32Sequential, fastest first, generic last.
func F32SequentialKernels() []F32Kernel {
	return []F32Kernel{{cpu.Kernel{Name: "generic"}, AddF32Sequential, SketchF32Sequential}}
}

// F64SequentialKernels returns the implementations of AddF64Sequential and SketchF64Sequential, fastest first, generic last.
func F64SequentialKernels() []F64Kernel {
	return []F64Kernel{{cpu.Kernel{Name: "generic"}, AddF64Sequential, SketchF64Sequential}}
}

// AddF32Sequential adds ±weights[i] to each lane, one feature after the other, in float32.
func AddF32Sequential(lanes *[64]float32, codes []uint64, weights []float32) {
	sameLength(len(codes), len(weights))
	addSequential(lanes, codes, weights)
}

// SketchF32Sequential returns the signs of lanes that start from +0 and gain ±weights[i], one feature after the other, in float32.
func SketchF32Sequential(codes []uint64, weights []float32) Signs {
	var lanes [64]float32
	AddF32Sequential(&lanes, codes, weights)
	return SignsF32(&lanes)
}

// AddF64Sequential adds ±weights[i] to each lane, one feature after the other, in float64.
func AddF64Sequential(lanes *[64]float64, codes []uint64, weights []float64) {
	sameLength(len(codes), len(weights))
	addSequential(lanes, codes, weights)
}

// SketchF64Sequential returns the signs of lanes that start from +0 and gain ±weights[i], one feature after the other, in float64.
func SketchF64Sequential(codes []uint64, weights []float64) Signs {
	var lanes [64]float64
	AddF64Sequential(&lanes, codes, weights)
	return SignsF64(&lanes)
}
