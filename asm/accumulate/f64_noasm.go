//go:build (!amd64 && !arm64) || purego

package accumulate

import "simhashkit/asm/cpu"

var f64Kernels = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}

func addF64At(_ cpu.Tier, lanes *[64]float64, codes []uint64, weights []float64) {
	sameLength(len(codes), len(weights))
	addF64Generic(lanes, codes, weights)
}

func sketchF64At(_ cpu.Tier, codes []uint64, weights []float64) Signs {
	sameLength(len(codes), len(weights))
	return sketchF64Generic(codes, weights)
}
