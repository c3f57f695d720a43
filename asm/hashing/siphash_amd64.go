//go:build !purego

package hashing

import "simhashkit/asm/cpu"

var sipHashKernels = []cpu.Kernel{
	cpu.KernelAt(cpu.AVX512, cpu.ExtAVX|cpu.ExtBMI2|cpu.ExtAVX512F|cpu.ExtAVX512BW),
	cpu.KernelAt(cpu.AVX2, cpu.ExtAVX|cpu.ExtAVX2),
	cpu.KernelAt(cpu.Generic, 0),
}

const (
	// Fewer keys than these are hashed faster one by one.
	leastSipHashAVX512 = 2
	leastSipHashAVX2   = 4
)

func sipHashAt(tier cpu.Tier, dst, keys []uint64, key *[2]uint64) {
	sameLength(len(dst), len(keys))
	switch {
	case tier >= cpu.AVX512 && len(keys) >= leastSipHashAVX512:
		sipHashAVX512(dst, keys, sipHashState(key))
	case tier >= cpu.AVX2 && len(keys) >= leastSipHashAVX2:
		whole := len(keys) &^ 3
		sipHashAVX2(dst[:whole], keys[:whole], sipHashState(key))
		sipHashGeneric(dst[whole:], keys[whole:], key)
	default:
		sipHashGeneric(dst, keys, key)
	}
}

// sipHashState is sipHashStart in memory.
func sipHashState(key *[2]uint64) *[4]uint64 {
	v0, v1, v2, v3 := sipHashStart(key)
	return &[4]uint64{v0, v1, v2, v3}
}
