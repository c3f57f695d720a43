package accumulate

import "simhashkit/asm/cpu"

// UnitKernel is one implementation of AddUnit and SketchUnit.
type UnitKernel = Kernel[func(lanes *[64]int64, codes []uint64), func(codes []uint64) Signs]

// UnitKernels returns the implementations of AddUnit and SketchUnit, fastest first, generic last.
func UnitKernels() (list []UnitKernel) {
	for _, k := range unitKernels {
		list = append(list, UnitKernel{k,
			func(lanes *[64]int64, codes []uint64) { addUnitAt(k.Usable(), lanes, codes) },
			func(codes []uint64) Signs { return sketchUnitAt(k.Usable(), codes) }})
	}
	return list
}

// AddUnit adds 1 to lane j for every code whose bit j is 1 and subtracts 1 for every other.
func AddUnit(lanes *[64]int64, codes []uint64) { addUnitAt(cpu.Active(), lanes, codes) }

// SketchUnit returns the signs of lanes that start from 0 and gain ±1 for every code: the majority
// of the codes, bit by bit.
func SketchUnit(codes []uint64) Signs { return sketchUnitAt(cpu.Active(), codes) }
