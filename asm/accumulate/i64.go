package accumulate

import "simhashkit/asm/cpu"

// I64Kernel is one implementation of AddI64 and SketchI64.
type I64Kernel = weightedKernel[int64, int64]

// I64Kernels returns the implementations of AddI64 and SketchI64, fastest first, generic last.
func I64Kernels() []I64Kernel { return weightedKernels(i64Kernels, addI64At, sketchI64At) }

// AddI64 adds ±weights[i] to each lane; weights are int64, lanes int64 that wrap.
func AddI64(lanes *[64]int64, codes []uint64, weights []int64) {
	addI64At(cpu.Active(), lanes, codes, weights)
}

// SketchI64 returns the signs of lanes that start from 0 and gain ±weights[i]; weights are int64,
// lanes int64 that wrap.
func SketchI64(codes []uint64, weights []int64) Signs {
	return sketchI64At(cpu.Active(), codes, weights)
}

func addI64Generic(lanes *[64]int64, codes []uint64, weights []int64) {
	addGrouped(lanes, codes, weights)
}

func sketchI64Generic(codes []uint64, weights []int64) Signs {
	var lanes [64]int64
	addGrouped(&lanes, codes, weights)
	return SignsI64(&lanes)
}
