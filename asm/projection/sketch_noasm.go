//go:build !amd64 || purego

package projection

import "simhashkit/asm/cpu"

var sketchKernels = []cpu.Kernel{{Name: "generic"}}

func sketchAt(_ cpu.Tier, table []float32, stride, dimensions int, indices []uint64, weights []float32) (positive uint64, ok bool) {
	return sketchGeneric(table, stride, dimensions, indices, weights)
}
