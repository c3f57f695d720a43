//go:build (!amd64 && !arm64) || purego

package hamming

import "simhashkit/asm/cpu"

var splitKernels = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}

func candidates(_ cpu.Tier, list *[linesOfList]uint64, first, second []uint16, query *[2]uint16, limit uint16) int {
	return candidatesGeneric(list, first, second, query, limit)
}
