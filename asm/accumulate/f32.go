package accumulate

import "simhashkit/asm/cpu"

// F32Kernel is one implementation of AddF32 and SketchF32.
type F32Kernel = Kernel[func(lanes *[64]float32, codes []uint64, weights []float32), func(codes []uint64, weights []float32) Signs]

var f32Generic = F32Kernel{cpu.Kernel{Name: "generic"}, addF32Generic, sketchF32Generic}
