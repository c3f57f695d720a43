//go:build (!amd64 && !arm64) || purego

package accumulate

import "simhashkit/asm/cpu"

var i32Kernels = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}

func addI32At(_ cpu.Tier, lanes *[64]int64, codes []uint64, weights []int32) {
	sameLength(len(codes), len(weights))
	addI32Generic(lanes, codes, weights)
}

func sketchI32At(_ cpu.Tier, codes []uint64, weights []int32) Signs {
	sameLength(len(codes), len(weights))
	return sketchI32Generic(codes, weights)
}
