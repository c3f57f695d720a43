package projections

import "simhashkit/asm/cpu"

// rowsKernel is one implementation of projectRows.
type rowsKernel struct {
	cpu.Kernel
	project func(table *float32, stride, dimensions int, indices []uint64, weights []float32) (positive uint64, ok bool)
}

var rowsGeneric = rowsKernel{cpu.Kernel{Name: "generic"}, projectRowsGeneric}

// projectRows returns the signs, bit j being 1 where sum j is greater than 0, of 64 sums over all
// features i of weights[i] times the entries from table[indices[i]*stride] on. It is not ok if an
// index is not below dimensions. Products are rounded before they are added, one feature after the
// other.
//
// table has at least (dimensions-1)*stride+64 entries, and as many weights as indices: callers see
// to that.
func projectRows(table []float32, stride, dimensions int, indices []uint64, weights []float32) (positive uint64, ok bool) {
	return projectRowsAt(cpu.Active(), &table[0], stride, dimensions, indices, weights)
}
