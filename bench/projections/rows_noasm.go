//go:build !amd64 || purego

package projections

import "simhashkit/asm/cpu"

// rowsKernels returns the implementations of projectRows.
func rowsKernels() []rowsKernel { return []rowsKernel{rowsGeneric} }

func projectRowsAt(_ cpu.Tier, table *float32, stride, dimensions int, indices []uint64, weights []float32) (positive uint64, ok bool) {
	return projectRowsGeneric(table, stride, dimensions, indices, weights)
}
