//go:build !amd64 || purego

package accumulate

import "simhashkit/asm/cpu"

// Without assembly every op has its generic kernel alone.

var (
	f32SequentialKernels = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}
	f64SequentialKernels = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}
)

func addF32SequentialAt(_ cpu.Tier, lanes *[64]float32, codes []uint64, weights []float32) {
	sameLength(len(codes), len(weights))
	addF32SequentialGeneric(lanes, codes, weights)
}

func sketchF32SequentialAt(_ cpu.Tier, codes []uint64, weights []float32) Signs {
	sameLength(len(codes), len(weights))
	return sketchF32SequentialGeneric(codes, weights)
}

func addF64SequentialAt(_ cpu.Tier, lanes *[64]float64, codes []uint64, weights []float64) {
	sameLength(len(codes), len(weights))
	addF64SequentialGeneric(lanes, codes, weights)
}

func sketchF64SequentialAt(_ cpu.Tier, codes []uint64, weights []float64) Signs {
	sameLength(len(codes), len(weights))
	return sketchF64SequentialGeneric(codes, weights)
}
