//go:build (!amd64 && !arm64) || purego

package accumulate

import "simhashkit/asm/cpu"

var unitKernels = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}

func addUnitAt(_ cpu.Tier, lanes *[64]int64, codes []uint64) { addUnitGeneric(lanes, codes) }

func sketchUnitAt(_ cpu.Tier, codes []uint64) Signs { return sketchUnitGeneric(codes) }
