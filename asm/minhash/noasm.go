//go:build (!amd64 && !arm64) || purego

package minhash

import "simhashkit/asm/cpu"

// Without assembly there is only the generic kernel.
var minimaKernels = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}

func addAt(_ cpu.Tier, minima *[64]uint32, functions *[2][64]uint32, keys []uint64) {
	addGeneric(minima, functions, keys)
}

func bitsAt(_ cpu.Tier, minima *[64]uint32) uint64 { return bitsGeneric(minima) }
