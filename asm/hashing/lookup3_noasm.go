//go:build (!amd64 && !arm64) || purego

package hashing

import "simhashkit/asm/cpu"

var lookup3Kernels = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}

func lookup3At(_ cpu.Tier, dst, keys []uint64, seed uint64) {
	sameLength(len(dst), len(keys))
	lookup3Generic(dst, keys, seed)
}
