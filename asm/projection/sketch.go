// Package projection takes the signs of scalar products of a sparse vector with stored random
// vectors, 64 of them at a time.
package projection

import (
	"fmt"
	"math/bits"

	"simhashkit/asm/cpu"
)

// SketchKernel is one implementation of Sketch.
type SketchKernel struct {
	cpu.Kernel
	Sketch func(table []float32, stride, dimensions int, indices []uint64, weights []float32) (positive uint64, ok bool)
}

// SketchKernels returns the implementations of Sketch, fastest first, generic last.
func SketchKernels() (list []SketchKernel) {
	for _, k := range sketchKernels {
		list = append(list, SketchKernel{k, func(table []float32, stride, dimensions int, indices []uint64, weights []float32) (uint64, bool) {
			return sketchAt(k.Usable(), table, stride, dimensions, indices, weights)
		}})
	}
	return list
}

// Sketch returns the signs of 64 sums, bit j being 1 where sum j is greater than 0. Sum j adds up
// weights[i] times table[indices[i]*stride+j] over all features i: each product is rounded to
// float32 before it is added, one feature after the other. It is not ok, and no bit is 1, if an
// index is not below dimensions.
//
// It panics if there are not as many weights as indices, if stride or dimensions is below 0, or if
// the table has fewer entries than (dimensions-1)*stride+64. Cost: one read of the rows, which
// vector kernels prefetch.
func Sketch(table []float32, stride, dimensions int, indices []uint64, weights []float32) (positive uint64, ok bool) {
	if len(indices) != len(weights) {
		panic(fmt.Sprintf("projection: %d indices but %d weights", len(indices), len(weights)))
	}
	if stride < 0 || dimensions < 0 || dimensions > 0 && !hasRows(len(table), stride, dimensions) {
		panic(fmt.Sprintf("projection: a table of %d entries has no %d rows at a stride of %d", len(table), dimensions, stride))
	}
	return sketchAt(cpu.Active(), table, stride, dimensions, indices, weights)
}

func hasRows(entries, stride, dimensions int) bool {
	high, last := bits.Mul64(uint64(stride), uint64(dimensions-1)) // which may not fit into an int
	return high == 0 && entries >= 64 && last <= uint64(entries-64)
}
