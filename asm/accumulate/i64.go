package accumulate

import "simhashkit/asm/cpu"

// I64Kernel is one implementation of AddI64 and SketchI64.
type I64Kernel = Kernel[func(lanes *[64]int64, codes []uint64, weights []int64), func(codes []uint64, weights []int64) Signs]

var i64Generic = I64Kernel{cpu.Kernel{Name: "generic"}, addI64Generic, sketchI64Generic}
