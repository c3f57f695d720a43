package accumulate

import "simhashkit/asm/cpu"

// I32Kernel is one implementation of AddI32 and SketchI32.
type I32Kernel = Kernel[func(lanes *[64]int64, codes []uint64, weights []int32), func(codes []uint64, weights []int32) Signs]

var i32Generic = I32Kernel{cpu.Kernel{Name: "generic"}, addI32Generic, sketchI32Generic}
