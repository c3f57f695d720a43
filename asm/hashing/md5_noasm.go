//go:build (!amd64 && !arm64) || purego

package hashing

import "simhashkit/asm/cpu"

var md5Kernels = []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)}

func md5At(_ cpu.Tier, dst, keys []uint64) {
	roomFor(2, len(dst), len(keys))
	md5Generic(dst, keys)
}

func md5CounterAt(_ cpu.Tier, dst, keys []uint64, counter byte) {
	roomFor(2, len(dst), len(keys))
	md5CounterGeneric(dst, keys, counter)
}
