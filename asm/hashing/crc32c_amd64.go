//go:build !purego

package hashing

import "simhashkit/asm/cpu"

// The instruction for the checksum is scalar, and processors have had it since before AVX2.
var crc32cKernels = []cpu.Kernel{
	cpu.KernelAt(cpu.AVX2, cpu.ExtSSE42),
	cpu.KernelAt(cpu.Generic, 0),
}

func crc32cAt(tier cpu.Tier, dst, keys []uint64) {
	sameLength(len(dst), len(keys))
	if tier >= cpu.AVX2 {
		crc32cAVX2(dst, keys)
		return
	}
	crc32cGeneric(dst, keys)
}
