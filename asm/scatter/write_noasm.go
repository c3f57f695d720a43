//go:build !amd64 || purego

package scatter

import "simhashkit/asm/cpu"

var writeKernels = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}

func write(_ cpu.Tier, words *[Entries]uint64, numbers *[Entries]uint32, line *Line) {
	writeGeneric(words, numbers, line)
}

func fence(cpu.Tier) {}
