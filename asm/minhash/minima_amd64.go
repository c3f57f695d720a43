//go:build !purego

package minhash

import "simhashkit/asm/cpu"

var minimaKernels = []cpu.Kernel{
	cpu.KernelAt(cpu.AVX512, cpu.ExtAVX|cpu.ExtAVX512F|cpu.ExtAVX512DQ),
	cpu.KernelAt(cpu.AVX2, cpu.ExtAVX|cpu.ExtAVX2),
	cpu.KernelAt(cpu.Generic, 0),
}

func addAt(tier cpu.Tier, minima *[64]uint32, functions *[2][64]uint32, keys []uint64) {
	switch {
	case tier >= cpu.AVX512:
		addAVX512(minima, functions, keys)
	case tier >= cpu.AVX2:
		addAVX2(minima, functions, keys)
	default:
		addGeneric(minima, functions, keys)
	}
}

func bitsAt(tier cpu.Tier, minima *[64]uint32) uint64 {
	switch {
	case tier >= cpu.AVX512:
		return bitsAVX512(minima)
	case tier >= cpu.AVX2:
		return bitsAVX2(minima)
	default:
		return bitsGeneric(minima)
	}
}
