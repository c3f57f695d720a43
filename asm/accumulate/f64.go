package accumulate

import "simhashkit/asm/cpu"

// F64Kernel is one implementation of AddF64 and SketchF64.
type F64Kernel = Kernel[func(lanes *[64]float64, codes []uint64, weights []float64), func(codes []uint64, weights []float64) Signs]

var f64Generic = F64Kernel{cpu.Kernel{Name: "generic"}, addF64Generic, sketchF64Generic}
