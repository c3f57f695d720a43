//go:build !purego

package hashing

import "simhashkit/asm/cpu"

var rapidHashKernels = []cpu.Kernel{
	cpu.KernelAt(cpu.AVX512, cpu.ExtAVX|cpu.ExtBMI2|cpu.ExtAVX512F|cpu.ExtAVX512BW),
	cpu.KernelAt(cpu.AVX2, cpu.ExtAVX|cpu.ExtAVX2),
	cpu.KernelAt(cpu.Generic, 0),
}

const (
	// Fewer keys than these are hashed faster one by one.
	leastRapidHashAVX512 = 8
	leastRapidHashAVX2   = 8
)

func rapidHashAt(tier cpu.Tier, dst, keys []uint64, seed uint64) {
	sameLength(len(dst), len(keys))
	switch {
	case tier >= cpu.AVX512 && len(keys) >= leastRapidHashAVX512:
		rapidHashAVX512(dst, keys, rapidHashStart(seed))
	case tier >= cpu.AVX2 && len(keys) >= leastRapidHashAVX2:
		whole := len(keys) &^ 3
		rapidHashAVX2(dst[:whole], keys[:whole], rapidHashStart(seed))
		rapidHashGeneric(dst[whole:], keys[whole:], seed)
	default:
		rapidHashGeneric(dst, keys, seed)
	}
}
