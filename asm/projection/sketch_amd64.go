//go:build !purego

package projection

import "simhashkit/asm/cpu"

var sketchKernels = []cpu.Kernel{
	{Name: "avx512", Tier: cpu.AVX512, Needs: cpu.ExtAVX | cpu.ExtAVX512F},
	{Name: "avx2", Tier: cpu.AVX2, Needs: cpu.ExtAVX | cpu.ExtAVX2},
	{Name: "generic"},
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
