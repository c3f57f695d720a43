//go:build !amd64 || purego

package accumulate

// I64Kernels returns the implementations of AddI64 and SketchI64, fastest first, generic last.
func I64Kernels() []I64Kernel { return []I64Kernel{i64Generic} }

// AddI64 adds ±weights[i] to each lane; weights are int64, lanes int64 that wrap.
func AddI64(lanes *[64]int64, codes []uint64, weights []int64) {
	sameLength(len(codes), len(weights))
	addI64Generic(lanes, codes, weights)
}

// SketchI64 returns the signs of lanes that start from 0 and gain ±weights[i]; weights are int64,
// lanes int64 that wrap.
func SketchI64(codes []uint64, weights []int64) Signs {
	sameLength(len(codes), len(weights))
	return sketchI64Generic(codes, weights)
}
