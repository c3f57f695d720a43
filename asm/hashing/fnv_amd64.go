//go:build !purego

package hashing

import "simhashkit/asm/cpu"

const (
	needsFNVAVX2   = cpu.ExtAVX | cpu.ExtAVX2
	needsFNVAVX512 = cpu.ExtAVX | cpu.ExtBMI2 | cpu.ExtAVX512F | cpu.ExtAVX512DQ | cpu.ExtAVX512BW

	// Fewer keys than these are hashed faster one by one.
	leastFNVAVX512 = 6
	leastFNVAVX2   = 8
)

// FNV1Kernels returns the implementations of FNV1, fastest first, generic last.
func FNV1Kernels() []UnseededKernel {
	at := func(tier cpu.Tier, needs cpu.Set) UnseededKernel {
		return UnseededKernel{cpu.Kernel{Name: tier.String(), Tier: tier, Needs: needs}, func(dst, keys []uint64) {
			fnv1At(tier, dst, keys)
		}}
	}
	return []UnseededKernel{at(cpu.AVX512, needsFNVAVX512), at(cpu.AVX2, needsFNVAVX2), fnv1GenericKernel}
}

// FNV1aKernels returns the implementations of FNV1a, fastest first, generic last.
func FNV1aKernels() []UnseededKernel {
	at := func(tier cpu.Tier, needs cpu.Set) UnseededKernel {
		return UnseededKernel{cpu.Kernel{Name: tier.String(), Tier: tier, Needs: needs}, func(dst, keys []uint64) {
			fnv1aAt(tier, dst, keys)
		}}
	}
	return []UnseededKernel{at(cpu.AVX512, needsFNVAVX512), at(cpu.AVX2, needsFNVAVX2), fnv1aGenericKernel}
}

func fnv1At(tier cpu.Tier, dst, keys []uint64) {
	dst = dst[:len(keys)]
	switch {
	case tier >= cpu.AVX512 && len(keys) >= leastFNVAVX512:
		fnv1AVX512(dst, keys)
	case tier >= cpu.AVX2 && len(keys) >= leastFNVAVX2:
		whole := len(keys) &^ 3
		fnv1AVX2(dst[:whole], keys[:whole])
		fnv1Generic(dst[whole:], keys[whole:])
	default:
		fnv1Generic(dst, keys)
	}
}

func fnv1aAt(tier cpu.Tier, dst, keys []uint64) {
	dst = dst[:len(keys)]
	switch {
	case tier >= cpu.AVX512 && len(keys) >= leastFNVAVX512:
		fnv1aAVX512(dst, keys)
	case tier >= cpu.AVX2 && len(keys) >= leastFNVAVX2:
		whole := len(keys) &^ 3
		fnv1aAVX2(dst[:whole], keys[:whole])
		fnv1aGeneric(dst[whole:], keys[whole:])
	default:
		fnv1aGeneric(dst, keys)
	}
}
