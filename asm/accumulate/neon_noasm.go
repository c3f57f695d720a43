//go:build (!amd64 && !arm64) || purego

package accumulate

import "simhashkit/asm/cpu"

var (
	f32Kernels  = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}
	f64Kernels  = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}
	i32Kernels  = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}
	i64Kernels  = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}
	unitKernels = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}
)

func addF32At(_ cpu.Tier, lanes *[64]float32, codes []uint64, weights []float32) {
	sameLength(len(codes), len(weights))
	addF32Generic(lanes, codes, weights)
}

func sketchF32At(_ cpu.Tier, codes []uint64, weights []float32) Signs {
	sameLength(len(codes), len(weights))
	return sketchF32Generic(codes, weights)
}

func addF64At(_ cpu.Tier, lanes *[64]float64, codes []uint64, weights []float64) {
	sameLength(len(codes), len(weights))
	addF64Generic(lanes, codes, weights)
}

func sketchF64At(_ cpu.Tier, codes []uint64, weights []float64) Signs {
	sameLength(len(codes), len(weights))
	return sketchF64Generic(codes, weights)
}

func addI32At(_ cpu.Tier, lanes *[64]int64, codes []uint64, weights []int32) {
	sameLength(len(codes), len(weights))
	addI32Generic(lanes, codes, weights)
}

func sketchI32At(_ cpu.Tier, codes []uint64, weights []int32) Signs {
	sameLength(len(codes), len(weights))
	return sketchI32Generic(codes, weights)
}

func addI64At(_ cpu.Tier, lanes *[64]int64, codes []uint64, weights []int64) {
	sameLength(len(codes), len(weights))
	addI64Generic(lanes, codes, weights)
}

func sketchI64At(_ cpu.Tier, codes []uint64, weights []int64) Signs {
	sameLength(len(codes), len(weights))
	return sketchI64Generic(codes, weights)
}

func addUnitAt(tier cpu.Tier, lanes *[64]int64, codes []uint64) { addCounted(tier, lanes, codes) }

func sketchUnitAt(_ cpu.Tier, codes []uint64) Signs { return sketchUnitGeneric(codes) }

// addPiece counts the ones of all codes into n, which must be all zero, and returns the number of
// codes.
func (n *counts) addPiece(_ cpu.Tier, codes []uint64) int {
	n.add(codes)
	return len(codes)
}
