//go:build !amd64 || purego

package hamming

import "simhashkit/asm/cpu"

// SplitKernels returns the implementations of Split.AppendWithin, fastest first, generic last.
func SplitKernels() []SplitKernel { return []SplitKernel{splitKernel(cpu.Generic, 0)} }

func candidates(_ cpu.Tier, list *[linesOfList]uint64, first, second []uint16, query *[2]uint16, limit uint16) (n, listed int) {
	return candidatesGeneric(list, first, second, query, limit)
}
