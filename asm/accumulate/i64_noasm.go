//go:build (!amd64 && !arm64) || purego

package accumulate

import "simhashkit/asm/cpu"

var i64Kernels = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}

func addI64At(_ cpu.Tier, lanes *[64]int64, codes []uint64, weights []int64) {
	sameLength(len(codes), len(weights))
	addI64Generic(lanes, codes, weights)
}

func sketchI64At(_ cpu.Tier, codes []uint64, weights []int64) Signs {
	sameLength(len(codes), len(weights))
	return sketchI64Generic(codes, weights)
}
