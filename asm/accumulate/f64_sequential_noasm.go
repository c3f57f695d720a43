//go:build !amd64 || purego

package accumulate

// F64SequentialKernels returns the implementations of AddF64Sequential and SketchF64Sequential,
// fastest first, generic last.
func F64SequentialKernels() []F64Kernel { return []F64Kernel{f64SequentialGeneric} }

// AddF64Sequential adds ±weights[i] to each lane, one feature after the other, in float64.
func AddF64Sequential(lanes *[64]float64, codes []uint64, weights []float64) {
	sameLength(len(codes), len(weights))
	addF64SequentialGeneric(lanes, codes, weights)
}

// SketchF64Sequential returns the signs of lanes that start from +0 and gain ±weights[i], one
// feature after the other, in float64.
func SketchF64Sequential(codes []uint64, weights []float64) Signs {
	sameLength(len(codes), len(weights))
	return sketchF64SequentialGeneric(codes, weights)
}
