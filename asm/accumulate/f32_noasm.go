//go:build (!amd64 && !arm64) || purego

package accumulate

import "simhashkit/asm/cpu"

var f32Kernels = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}

func addF32At(_ cpu.Tier, lanes *[64]float32, codes []uint64, weights []float32) {
	sameLength(len(codes), len(weights))
	addF32Generic(lanes, codes, weights)
}

func sketchF32At(_ cpu.Tier, codes []uint64, weights []float32) Signs {
	sameLength(len(codes), len(weights))
	return sketchF32Generic(codes, weights)
}
