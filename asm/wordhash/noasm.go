//go:build !amd64 || purego

package wordhash

import "simhashkit/asm/cpu"

// Without assembly there is only the generic kernel.
var xxh64Kernels = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}

func xxh64At(cpu.Tier, []uint64, []byte, []Span) int { return 0 }
