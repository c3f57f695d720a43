package accumulate

import "simhashkit/asm/cpu"

// F32Kernel is one implementation of AddF32 and SketchF32.
type F32Kernel = weightedKernel[float32, float32]

// F32Kernels returns the implementations of AddF32 and SketchF32, fastest first, generic last.
func F32Kernels() []F32Kernel { return weightedKernels(f32Kernels, addF32At, sketchF32At) }

// AddF32 adds ±weights[i] to each lane, in grouped order.
func AddF32(lanes *[64]float32, codes []uint64, weights []float32) {
	addF32At(cpu.Active(), lanes, codes, weights)
}

// SketchF32 returns the signs of lanes that start from +0 and gain ±weights[i], in grouped order.
func SketchF32(codes []uint64, weights []float32) Signs {
	return sketchF32At(cpu.Active(), codes, weights)
}

func addF32Generic(lanes *[64]float32, codes []uint64, weights []float32) {
	addGrouped(lanes, codes, weights)
}

func sketchF32Generic(codes []uint64, weights []float32) Signs {
	var lanes [64]float32
	addGrouped(&lanes, codes, weights)
	return SignsF32(&lanes)
}
