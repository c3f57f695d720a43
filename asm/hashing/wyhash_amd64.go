//go:build !purego

package hashing

import "simhashkit/asm/cpu"

// There is none for AVX2: it would take as long as the products of general registers.
var wyHashKernels = []cpu.Kernel{
	cpu.KernelAt(cpu.AVX512, cpu.ExtAVX|cpu.ExtBMI2|cpu.ExtAVX512F|cpu.ExtAVX512BW),
	cpu.KernelAt(cpu.Generic, 0),
}

// Fewer keys than these are hashed faster one by one.
const leastWyHashAVX512 = 8

func wyHashAt(tier cpu.Tier, dst, keys []uint64, seed uint64) {
	sameLength(len(dst), len(keys))
	if tier >= cpu.AVX512 && len(keys) >= leastWyHashAVX512 {
		wyHashAVX512(dst, keys, wyHashStart(seed))
		return
	}
	wyHashGeneric(dst, keys, seed)
}
