//go:build !amd64 || purego

package accumulate

// F32Kernels returns the implementations of AddF32 and SketchF32, fastest first, generic last.
func F32Kernels() []F32Kernel { return []F32Kernel{f32Generic} }

// AddF32 adds ±weights[i] to each lane, in grouped order.
func AddF32(lanes *[64]float32, codes []uint64, weights []float32) {
	sameLength(len(codes), len(weights))
	addF32Generic(lanes, codes, weights)
}

// SketchF32 returns the signs of lanes that start from +0 and gain ±weights[i], in grouped order.
func SketchF32(codes []uint64, weights []float32) Signs {
	sameLength(len(codes), len(weights))
	return sketchF32Generic(codes, weights)
}
