//go:build !purego

package hamming

import "simhashkit/asm/cpu"

const (
	needsSplitAVX2       = cpu.ExtAVX | cpu.ExtAVX2
	needsSplitAVX512     = cpu.ExtAVX | cpu.ExtAVX512F | cpu.ExtAVX512BW
	needsSplitAVX512GFNI = needsSplitAVX512 | cpu.ExtAVX512BITALG
)

// SplitKernels returns the implementations of Split.AppendWithin, fastest first, generic last.
func SplitKernels() []SplitKernel {
	return []SplitKernel{
		splitKernel(cpu.AVX512GFNI, needsSplitAVX512GFNI),
		splitKernel(cpu.AVX512, needsSplitAVX512),
		splitKernel(cpu.AVX2, needsSplitAVX2),
		splitKernel(cpu.Generic, 0),
	}
}

func candidates(tier cpu.Tier, list *[linesOfList]uint64, first, second []uint16, query *[2]uint16, limit uint16) (n, listed int) {
	switch tier {
	case cpu.AVX512GFNI:
		return candidatesAVX512GFNI(list, first, second, query, limit)
	case cpu.AVX512:
		return candidatesAVX512(list, first, second, query, limit)
	case cpu.AVX2:
		return candidatesAVX2(list, first, second, query, limit)
	default:
		return candidatesGeneric(list, first, second, query, limit)
	}
}
