//go:build !purego

package projection

import "simhashkit/asm/cpu"

const (
	needsSketchAVX2   = cpu.ExtAVX | cpu.ExtAVX2
	needsSketchAVX512 = cpu.ExtAVX | cpu.ExtAVX512F
)

// SketchKernels returns the implementations of Sketch, fastest first, generic last.
func SketchKernels() []SketchKernel {
	return []SketchKernel{
		{cpu.Kernel{Name: "avx512", Tier: cpu.AVX512, Needs: needsSketchAVX512}, sketchAVX512},
		{cpu.Kernel{Name: "avx2", Tier: cpu.AVX2, Needs: needsSketchAVX2}, sketchAVX2},
		sketchGenericKernel,
	}
}

func sketchAt(tier cpu.Tier, table []float32, stride, dimensions int, indices []uint64, weights []float32) (positive uint64, ok bool) {
	switch {
	case tier >= cpu.AVX512:
		return sketchAVX512(table, stride, dimensions, indices, weights)
	case tier >= cpu.AVX2:
		return sketchAVX2(table, stride, dimensions, indices, weights)
	default:
		return sketchGeneric(table, stride, dimensions, indices, weights)
	}
}
