//go:build !purego

package classes

import "simhashkit/asm/cpu"

var masksKernels = []cpu.Kernel{
	cpu.KernelAt(cpu.AVX512, cpu.ExtAVX|cpu.ExtAVX512F|cpu.ExtAVX512BW),
	cpu.KernelAt(cpu.AVX2, cpu.ExtAVX|cpu.ExtAVX2),
	cpu.KernelAt(cpu.Generic, 0),
}

// masksAt stores the masks of whole blocks.
func masksAt(tier cpu.Tier, dst []Block, text []byte, table *Table) {
	switch {
	case tier >= cpu.AVX512:
		masksAVX512(dst, text, &table.nibbles)
	case tier >= cpu.AVX2:
		masksAVX2(dst, text, &table.nibbles)
	default:
		masksGeneric(dst, text, table)
	}
}

var lowerKernels = []cpu.Kernel{
	cpu.KernelAt(cpu.AVX2, cpu.ExtAVX|cpu.ExtAVX2),
	cpu.KernelAt(cpu.Generic, 0),
}

// lowerAt converts as much of the text as the kernel of the tier can.
func lowerAt(tier cpu.Tier, dst, text []byte) (n int) {
	if tier >= cpu.AVX2 {
		return lowerAVX2(dst, text)
	}
	return 0
}
