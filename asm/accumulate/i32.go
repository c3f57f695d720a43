package accumulate

import "simhashkit/asm/cpu"

// I32Kernel is one implementation of AddI32 and SketchI32.
type I32Kernel = weightedKernel[int64, int32]

// I32Kernels returns the implementations of AddI32 and SketchI32, fastest first, generic last.
func I32Kernels() []I32Kernel { return weightedKernels(i32Kernels, addI32At, sketchI32At) }

// AddI32 adds ±weights[i] to each lane; weights are int32, lanes int64.
func AddI32(lanes *[64]int64, codes []uint64, weights []int32) {
	addI32At(cpu.Active(), lanes, codes, weights)
}

// SketchI32 returns the signs of lanes that start from 0 and gain ±weights[i]; weights are int32,
// lanes int64.
func SketchI32(codes []uint64, weights []int32) Signs {
	return sketchI32At(cpu.Active(), codes, weights)
}

func addI32Generic(lanes *[64]int64, codes []uint64, weights []int32) {
	addGrouped(lanes, codes, weights)
}

func sketchI32Generic(codes []uint64, weights []int32) Signs {
	var lanes [64]int64
	addGrouped(&lanes, codes, weights)
	return SignsI64(&lanes)
}
