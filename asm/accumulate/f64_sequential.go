package accumulate

import "simhashkit/asm/cpu"

var f64SequentialGeneric = F64Kernel{cpu.Kernel{Name: "generic"}, addF64SequentialGeneric, sketchF64SequentialGeneric}
