//go:build !amd64 || purego

package accumulate

// F32SequentialKernels returns the implementations of AddF32Sequential and SketchF32Sequential,
// fastest first, generic last.
func F32SequentialKernels() []F32Kernel { return []F32Kernel{f32SequentialGeneric} }

// AddF32Sequential adds ±weights[i] to each lane, one feature after the other, in float32.
func AddF32Sequential(lanes *[64]float32, codes []uint64, weights []float32) {
	sameLength(len(codes), len(weights))
	addF32SequentialGeneric(lanes, codes, weights)
}

// SketchF32Sequential returns the signs of lanes that start from +0 and gain ±weights[i], one
// feature after the other, in float32.
func SketchF32Sequential(codes []uint64, weights []float32) Signs {
	sameLength(len(codes), len(weights))
	return sketchF32SequentialGeneric(codes, weights)
}
