//go:build !purego

package hashing

import "simhashkit/asm/cpu"

var wyHashKernels = []cpu.Kernel{
	cpu.KernelAt(cpu.AVX512, cpu.ExtAVX|cpu.ExtBMI2|cpu.ExtAVX512F|cpu.ExtAVX512BW),
	cpu.KernelAt(cpu.AVX2, cpu.ExtAVX|cpu.ExtAVX2),
	cpu.KernelAt(cpu.Generic, 0),
}

const (
	// Fewer keys than these are hashed faster one by one.
	leastWyHashAVX512 = 8
	leastWyHashAVX2   = 8
)

func wyHashAt(tier cpu.Tier, dst, keys []uint64, seed uint64) {
	sameLength(len(dst), len(keys))
	switch {
	case tier >= cpu.AVX512 && len(keys) >= leastWyHashAVX512:
		wyHashAVX512(dst, keys, wyHashStart(seed))
	case tier >= cpu.AVX2 && len(keys) >= leastWyHashAVX2:
		whole := len(keys) &^ 3
		wyHashAVX2(dst[:whole], keys[:whole], wyHashStart(seed))
		wyHashGeneric(dst[whole:], keys[whole:], seed)
	default:
		wyHashGeneric(dst, keys, seed)
	}
}
