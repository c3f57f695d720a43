//go:build !purego

package hashing

import "simhashkit/asm/cpu"

// There is none for AVX2: it would take as long as the products of general registers.
var rapidHashKernels = []cpu.Kernel{
	cpu.KernelAt(cpu.AVX512, cpu.ExtAVX|cpu.ExtBMI2|cpu.ExtAVX512F|cpu.ExtAVX512BW),
	cpu.KernelAt(cpu.Generic, 0),
}

// Fewer keys than these are hashed faster one by one.
const leastRapidHashAVX512 = 8

func rapidHashAt(tier cpu.Tier, dst, keys []uint64, seed uint64) {
	sameLength(len(dst), len(keys))
	if tier >= cpu.AVX512 && len(keys) >= leastRapidHashAVX512 {
		rapidHashAVX512(dst, keys, rapidHashStart(seed))
		return
	}
	rapidHashGeneric(dst, keys, seed)
}
