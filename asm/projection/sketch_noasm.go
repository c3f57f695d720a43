//go:build !amd64 || purego

package projection

import "simhashkit/asm/cpu"

// SketchKernels returns the implementations of Sketch, fastest first, generic last.
func SketchKernels() []SketchKernel { return []SketchKernel{sketchGenericKernel} }

func sketchAt(_ cpu.Tier, table []float32, stride, dimensions int, indices []uint64, weights []float32) (positive uint64, ok bool) {
	return sketchGeneric(table, stride, dimensions, indices, weights)
}
