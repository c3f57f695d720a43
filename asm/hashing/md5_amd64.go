//go:build !purego

package hashing

import "simhashkit/asm/cpu"

const (
	needsMD5AVX2   = cpu.ExtAVX | cpu.ExtAVX2
	needsMD5AVX512 = cpu.ExtAVX | cpu.ExtBMI2 | cpu.ExtAVX512F | cpu.ExtAVX512DQ

	// One key alone is hashed faster without vectors; with AVX-512 it is not.
	leastMD5AVX2 = 2
)

// MD5Kernels returns the implementations of MD5, fastest first, generic last.
func MD5Kernels() []UnseededKernel {
	at := func(tier cpu.Tier, needs cpu.Set) UnseededKernel {
		return UnseededKernel{cpu.Kernel{Name: tier.String(), Tier: tier, Needs: needs}, func(dst, keys []uint64) {
			md5At(tier, dst, keys)
		}}
	}
	return []UnseededKernel{at(cpu.AVX512, needsMD5AVX512), at(cpu.AVX2, needsMD5AVX2), md5GenericKernel}
}

func md5At(tier cpu.Tier, dst, keys []uint64) {
	n := len(keys)
	low, high := dst[:n], dst[n:][:n]
	switch {
	case tier >= cpu.AVX512:
		md5AVX512(low, high, keys)
	case tier >= cpu.AVX2 && n >= leastMD5AVX2:
		whole := n &^ 7
		md5AVX2(low[:whole], high[:whole], keys[:whole])
		if rest := n - whole; rest >= leastMD5AVX2 {
			var padded, lowOfPadded, highOfPadded [8]uint64
			copy(padded[:], keys[whole:])
			md5AVX2(lowOfPadded[:], highOfPadded[:], padded[:])
			copy(low[whole:], lowOfPadded[:])
			copy(high[whole:], highOfPadded[:])
			whole = n
		}
		md5Each(low[whole:], high[whole:], keys[whole:])
	default:
		md5Each(low, high, keys)
	}
}
