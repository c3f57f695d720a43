//go:build !amd64 || purego

package accumulate

// I32Kernels returns the implementations of AddI32 and SketchI32, fastest first, generic last.
func I32Kernels() []I32Kernel { return []I32Kernel{i32Generic} }

// AddI32 adds ±weights[i] to each lane; weights are int32, lanes int64.
func AddI32(lanes *[64]int64, codes []uint64, weights []int32) {
	sameLength(len(codes), len(weights))
	addI32Generic(lanes, codes, weights)
}

// SketchI32 returns the signs of lanes that start from 0 and gain ±weights[i]; weights are int32,
// lanes int64.
func SketchI32(codes []uint64, weights []int32) Signs {
	sameLength(len(codes), len(weights))
	return sketchI32Generic(codes, weights)
}
