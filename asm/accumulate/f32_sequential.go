package accumulate

import "simhashkit/asm/cpu"

var f32SequentialGeneric = F32Kernel{cpu.Kernel{Name: "generic"}, addF32SequentialGeneric, sketchF32SequentialGeneric}
