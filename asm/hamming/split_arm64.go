//go:build !purego

package hamming

import "simhashkit/asm/cpu"

var splitKernels = []cpu.Kernel{
	cpu.KernelAt(cpu.NEON, cpu.ExtASIMD),
	cpu.KernelAt(cpu.Generic, 0),
}

func candidates(tier cpu.Tier, list *[linesOfList]uint64, first, second []uint16, query *[2]uint16, limit uint16) int {
	switch tier {
	case cpu.NEON:
		return candidatesNEON(list, first, second, query, limit)
	default:
		return candidatesGeneric(list, first, second, query, limit)
	}
}
