//go:build !purego

package projections

import "simhashkit/asm/cpu"

const (
	needsRowsAVX2   = cpu.ExtAVX | cpu.ExtAVX2
	needsRowsAVX512 = cpu.ExtAVX | cpu.ExtAVX512F
)

// rowsKernels returns the implementations of projectRows, fastest first, generic last.
func rowsKernels() []rowsKernel {
	return []rowsKernel{
		{cpu.Kernel{Name: "avx512", Tier: cpu.AVX512, Needs: needsRowsAVX512}, projectRowsAVX512},
		{cpu.Kernel{Name: "avx2", Tier: cpu.AVX2, Needs: needsRowsAVX2}, projectRowsAVX2},
		rowsGeneric,
	}
}

func projectRowsAt(tier cpu.Tier, table *float32, stride, dimensions int, indices []uint64, weights []float32) (positive uint64, ok bool) {
	switch {
	case tier >= cpu.AVX512:
		return projectRowsAVX512(table, stride, dimensions, indices, weights)
	case tier >= cpu.AVX2:
		return projectRowsAVX2(table, stride, dimensions, indices, weights)
	default:
		return projectRowsGeneric(table, stride, dimensions, indices, weights)
	}
}
