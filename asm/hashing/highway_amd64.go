//go:build !purego

package hashing

import "simhashkit/asm/cpu"

var highwayKernels = []cpu.Kernel{
	cpu.KernelAt(cpu.AVX512, cpu.ExtAVX|cpu.ExtAVX512F|cpu.ExtAVX512BW|cpu.ExtAVX512DQ|cpu.ExtAVX512VL),
	cpu.KernelAt(cpu.AVX2, cpu.ExtAVX|cpu.ExtAVX2),
	cpu.KernelAt(cpu.Generic, 0),
}

func highway64At(tier cpu.Tier, dst, keys []uint64, key *[4]uint64) {
	sameLength(len(dst), len(keys))
	switch {
	case tier >= cpu.AVX512 && len(keys) > 0:
		highway64AVX512(dst, keys, key)
	case tier >= cpu.AVX2 && len(keys) > 0:
		var scratch [12]uint64
		highway64AVX2(dst, keys, key, &scratch)
	default:
		highway64Generic(dst, keys, key)
	}
}

func highway128At(tier cpu.Tier, dst, keys []uint64, key *[4]uint64) {
	roomFor(2, len(dst), len(keys))
	switch {
	case tier >= cpu.AVX512 && len(keys) > 0:
		highway128AVX512(dst, keys, key)
	case tier >= cpu.AVX2 && len(keys) > 0:
		var scratch [12]uint64
		highway128AVX2(dst, keys, key, &scratch)
	default:
		highway128Generic(dst, keys, key)
	}
}

func highway256At(tier cpu.Tier, dst, keys []uint64, key *[4]uint64) {
	roomFor(4, len(dst), len(keys))
	switch {
	case tier >= cpu.AVX512 && len(keys) > 0:
		highway256AVX512(dst, keys, key)
	case tier >= cpu.AVX2 && len(keys) > 0:
		var scratch [12]uint64
		highway256AVX2(dst, keys, key, &scratch)
	default:
		highway256Generic(dst, keys, key)
	}
}
