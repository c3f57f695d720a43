//go:build !amd64 || purego

package classes

import "simhashkit/asm/cpu"

// Without assembly there are only the generic kernels.
var (
	masksKernels = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}
	lowerKernels = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}
)

func masksAt(_ cpu.Tier, dst []Block, text []byte, table *Table) { masksGeneric(dst, text, table) }

func lowerAt(cpu.Tier, []byte, []byte) int { return 0 }
