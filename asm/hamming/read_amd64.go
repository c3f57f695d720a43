//go:build !purego

package hamming

import "simhashkit/asm/cpu"

var readKernels = []cpu.Kernel{
	cpu.KernelAt(cpu.AVX512, cpu.ExtAVX|cpu.ExtAVX512F|cpu.ExtAVX512DQ|cpu.ExtAVX512VL),
	cpu.KernelAt(cpu.AVX2, cpu.ExtAVX|cpu.ExtAVX2),
	cpu.KernelAt(cpu.Generic, 0),
}

func readAt(tier cpu.Tier, words []uint64) uint64 {
	whole := len(words) &^ 63
	switch {
	case tier >= cpu.AVX512:
		return readAVX512(words[:whole]) ^ readGeneric(words[whole:])
	case tier == cpu.AVX2:
		return readAVX2(words[:whole]) ^ readGeneric(words[whole:])
	default:
		return readGeneric(words)
	}
}
