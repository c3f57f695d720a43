package accumulate

import "simhashkit/asm/cpu"

// F64Kernel is one implementation of AddF64 and SketchF64.
type F64Kernel = weightedKernel[float64, float64]

// F64Kernels returns the implementations of AddF64 and SketchF64, fastest first, generic last.
func F64Kernels() []F64Kernel { return weightedKernels(f64Kernels, addF64At, sketchF64At) }

// AddF64 adds ±weights[i] to each lane; weights and lanes are float64, in grouped order.
func AddF64(lanes *[64]float64, codes []uint64, weights []float64) {
	addF64At(cpu.Active(), lanes, codes, weights)
}

// SketchF64 returns the signs of lanes that start from 0 and gain ±weights[i]; weights and lanes
// are float64, in grouped order.
func SketchF64(codes []uint64, weights []float64) Signs {
	return sketchF64At(cpu.Active(), codes, weights)
}

func addF64Generic(lanes *[64]float64, codes []uint64, weights []float64) {
	addGrouped(lanes, codes, weights)
}

func sketchF64Generic(codes []uint64, weights []float64) Signs {
	var lanes [64]float64
	addGrouped(&lanes, codes, weights)
	return SignsF64(&lanes)
}
