//go:build !amd64 || purego

package accumulate

// UnitKernels returns the implementations of AddUnit and SketchUnit, fastest first, generic last.
func UnitKernels() []UnitKernel { return []UnitKernel{unitGeneric} }

// AddUnit adds 1 to lane j for every code whose bit j is 1 and subtracts 1 for every other.
func AddUnit(lanes *[64]int64, codes []uint64) { addUnitGeneric(lanes, codes) }

// SketchUnit returns the signs of lanes that start from 0 and gain ±1 for every code: the majority
// of the codes, bit by bit.
func SketchUnit(codes []uint64) Signs { return sketchUnitGeneric(codes) }
