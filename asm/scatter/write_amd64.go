//go:build !purego

package scatter

import "simhashkit/asm/cpu"

var writeKernels = []cpu.Kernel{
	cpu.KernelAt(cpu.AVX2, cpu.ExtAVX),
	cpu.KernelAt(cpu.Generic, 0),
}

func write(tier cpu.Tier, words *[Entries]uint64, numbers *[Entries]uint32, line *Line) {
	if tier >= cpu.AVX2 && aligned(words, numbers) {
		writeAVX2(words, numbers, &line.Words, &line.Numbers)
	} else {
		writeGeneric(words, numbers, line)
	}
}

func fence(tier cpu.Tier) {
	if tier >= cpu.AVX2 {
		fenceAVX2()
	}
}
