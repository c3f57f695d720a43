//go:build !purego

package hamming

import "simhashkit/asm/cpu"

var planesKernels = []cpu.Kernel{
	cpu.KernelAt(cpu.AVX512, cpu.ExtAVX|cpu.ExtAVX512F|cpu.ExtAVX512DQ),
	cpu.KernelAt(cpu.AVX2, cpu.ExtAVX|cpu.ExtAVX2),
	cpu.KernelAt(cpu.Generic, 0),
}

func blocksWithin(tier cpu.Tier, counts *planeCounts, planes, signs, start []uint64) int {
	switch {
	case tier >= cpu.AVX512:
		return blocksWithinAVX512(counts, planes, signs, start)
	case tier == cpu.AVX2:
		return blocksWithinAVX2(counts, planes, signs, start)
	default:
		return blocksWithinGeneric(counts, planes, signs, start)
	}
}
