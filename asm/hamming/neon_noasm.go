//go:build (!amd64 && !arm64) || purego

package hamming

import "simhashkit/asm/cpu"

// These ops also have kernels for arm64; noasm.go has the others.

var (
	scanKernels  = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}
	splitKernels = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}
)

func appendWithin(_ cpu.Tier, dst []Match, fingerprints, query []uint64, k int) []Match {
	return appendWithinGeneric(dst, fingerprints, query, k)
}

func candidates(_ cpu.Tier, list *[linesOfList]uint64, first, second []uint16, query *[2]uint16, limit uint16) int {
	return candidatesGeneric(list, first, second, query, limit)
}
