package accumulate

import "simhashkit/asm/cpu"

// UnitKernel is one implementation of AddUnit and SketchUnit.
type UnitKernel = Kernel[func(lanes *[64]int64, codes []uint64), func(codes []uint64) Signs]

var unitGeneric = UnitKernel{cpu.Kernel{Name: "generic"}, addUnitGeneric, sketchUnitGeneric}
