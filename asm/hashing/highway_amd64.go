//go:build !purego

package hashing

import "simhashkit/asm/cpu"

const (
	needsHighwayAVX2   = cpu.ExtAVX | cpu.ExtAVX2
	needsHighwayAVX512 = cpu.ExtAVX | cpu.ExtAVX512F | cpu.ExtAVX512BW | cpu.ExtAVX512DQ | cpu.ExtAVX512VL
)

// Highway64Kernels returns the implementations of Highway64, fastest first, generic last.
func Highway64Kernels() []KeyedKernel {
	at := func(tier cpu.Tier, needs cpu.Set) KeyedKernel {
		return KeyedKernel{cpu.Kernel{Name: tier.String(), Tier: tier, Needs: needs}, func(dst, keys []uint64, key *[4]uint64) {
			highway64At(tier, dst, keys, key)
		}}
	}
	return []KeyedKernel{at(cpu.AVX512, needsHighwayAVX512), at(cpu.AVX2, needsHighwayAVX2), highway64GenericKernel}
}

// Highway128Kernels returns the implementations of Highway128, fastest first, generic last.
func Highway128Kernels() []KeyedKernel {
	at := func(tier cpu.Tier, needs cpu.Set) KeyedKernel {
		return KeyedKernel{cpu.Kernel{Name: tier.String(), Tier: tier, Needs: needs}, func(dst, keys []uint64, key *[4]uint64) {
			highway128At(tier, dst, keys, key)
		}}
	}
	return []KeyedKernel{at(cpu.AVX512, needsHighwayAVX512), at(cpu.AVX2, needsHighwayAVX2), highway128GenericKernel}
}

// Highway256Kernels returns the implementations of Highway256, fastest first, generic last.
func Highway256Kernels() []KeyedKernel {
	at := func(tier cpu.Tier, needs cpu.Set) KeyedKernel {
		return KeyedKernel{cpu.Kernel{Name: tier.String(), Tier: tier, Needs: needs}, func(dst, keys []uint64, key *[4]uint64) {
			highway256At(tier, dst, keys, key)
		}}
	}
	return []KeyedKernel{at(cpu.AVX512, needsHighwayAVX512), at(cpu.AVX2, needsHighwayAVX2), highway256GenericKernel}
}

func highway64At(tier cpu.Tier, dst, keys []uint64, key *[4]uint64) {
	switch {
	case tier == cpu.Generic || len(keys) == 0:
		highway64Generic(dst, keys, key)
	case tier == cpu.AVX2:
		var scratch [12]uint64
		highway64AVX2(dst, keys, key, &scratch)
	default:
		highway64AVX512(dst, keys, key)
	}
}

func highway128At(tier cpu.Tier, dst, keys []uint64, key *[4]uint64) {
	switch {
	case tier == cpu.Generic || len(keys) == 0:
		highway128Generic(dst, keys, key)
	case tier == cpu.AVX2:
		var scratch [12]uint64
		highway128AVX2(dst, keys, key, &scratch)
	default:
		highway128AVX512(dst, keys, key)
	}
}

func highway256At(tier cpu.Tier, dst, keys []uint64, key *[4]uint64) {
	switch {
	case tier == cpu.Generic || len(keys) == 0:
		highway256Generic(dst, keys, key)
	case tier == cpu.AVX2:
		var scratch [12]uint64
		highway256AVX2(dst, keys, key, &scratch)
	default:
		highway256AVX512(dst, keys, key)
	}
}
