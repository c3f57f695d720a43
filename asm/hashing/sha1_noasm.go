//go:build (!amd64 && !arm64) || purego

package hashing

import "simhashkit/asm/cpu"

var sha1Kernels = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}

func sha1At(_ cpu.Tier, dst, keys []uint64) {
	roomFor(3, len(dst), len(keys))
	sha1Generic(dst, keys)
}

func sha1CounterAt(_ cpu.Tier, dst, keys []uint64, counter byte) {
	roomFor(3, len(dst), len(keys))
	sha1CounterGeneric(dst, keys, counter)
}
