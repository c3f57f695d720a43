//go:build !purego

package hamming

import "simhashkit/asm/cpu"

var splitKernels = []cpu.Kernel{
	cpu.KernelAt(cpu.AVX512GFNI, cpu.ExtAVX|cpu.ExtAVX512F|cpu.ExtAVX512BW|cpu.ExtAVX512BITALG),
	cpu.KernelAt(cpu.AVX512, cpu.ExtAVX|cpu.ExtAVX512F|cpu.ExtAVX512BW),
	cpu.KernelAt(cpu.AVX2, cpu.ExtAVX|cpu.ExtAVX2),
	cpu.KernelAt(cpu.Generic, 0),
}

func candidates(tier cpu.Tier, list *[linesOfList]uint64, first, second []uint16, query *[2]uint16, limit uint16) int {
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
