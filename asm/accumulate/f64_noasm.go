//go:build !amd64 || purego

package accumulate

// F64Kernels returns the implementations of AddF64 and SketchF64, fastest first, generic last.
func F64Kernels() []F64Kernel { return []F64Kernel{f64Generic} }

// AddF64 adds ±weights[i] to each lane; weights and lanes are float64, in grouped order.
func AddF64(lanes *[64]float64, codes []uint64, weights []float64) {
	sameLength(len(codes), len(weights))
	addF64Generic(lanes, codes, weights)
}

// SketchF64 returns the signs of lanes that start from 0 and gain ±weights[i]; weights and lanes
// are float64, in grouped order.
func SketchF64(codes []uint64, weights []float64) Signs {
	sameLength(len(codes), len(weights))
	return sketchF64Generic(codes, weights)
}
