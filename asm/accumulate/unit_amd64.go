//go:build !purego

package accumulate

import "simhashkit/asm/cpu"

var unitKernels = []cpu.Kernel{
	cpu.KernelAt(cpu.AVX512GFNI, cpu.ExtAVX|cpu.ExtBMI2|cpu.ExtAVX512F|cpu.ExtAVX512BW|cpu.ExtAVX512DQ|
		cpu.ExtAVX512VBMI|cpu.ExtAVX512BITALG|cpu.ExtGFNI),
	cpu.KernelAt(cpu.AVX512, cpu.ExtAVX|cpu.ExtBMI2|cpu.ExtAVX512F|cpu.ExtAVX512DQ|cpu.ExtAVX512VL),
	cpu.KernelAt(cpu.AVX2, cpu.ExtAVX|cpu.ExtAVX2),
	cpu.KernelAt(cpu.Generic, 0),
}

// Capacities of the kernels' counters, in codes. More codes are added in pieces.
const (
	unitLimitAVX2   = 4_064
	unitLimitAVX512 = 1<<16 - 1
)

func addUnitAt(tier cpu.Tier, lanes *[64]int64, codes []uint64) {
	switch tier {
	case cpu.AVX512GFNI:
		for len(codes) > 0 {
			n := min(len(codes), unitLimitAVX512)
			var counts [64]uint16
			countUnitAVX512GFNI(&counts, codes[:n])
			codes = codes[n:]
			for j, c := range counts {
				lanes[j] += 2*int64(c) - int64(n)
			}
		}
	default:
		addCounted(tier, lanes, codes)
	}
}

func sketchUnitAt(tier cpu.Tier, codes []uint64) Signs {
	if uint(len(codes))-1 >= unitLimitAVX2 { // none, or more than some kernel counts
		return sketchUnitInPieces(tier, codes)
	}
	switch tier {
	case cpu.AVX512GFNI:
		return sketchUnitAVX512GFNI(codes)
	case cpu.AVX512:
		return sketchUnitAVX512(codes)
	case cpu.AVX2:
		return sketchUnitAVX2(codes)
	default:
		return sketchUnitGeneric(codes)
	}
}

// sketchUnitInPieces is sketchUnitAt for any number of codes.
func sketchUnitInPieces(tier cpu.Tier, codes []uint64) Signs {
	switch {
	case tier == cpu.AVX512GFNI && len(codes) <= unitLimitAVX512:
		return sketchUnitAVX512GFNI(codes)
	case tier == cpu.AVX512 && len(codes) <= unitLimitAVX512:
		return sketchUnitAVX512(codes)
	}
	var c UnitCounter
	c.addAt(tier, codes)
	return c.Signs()
}

// addPiece counts the ones of as many codes as the kernel's counters can count into n, which must
// be all zero, and returns the number of codes. The kernel for GFNI has no bit-sliced counters, so
// that tier uses the kernel for AVX-512.
func (n *counts) addPiece(tier cpu.Tier, codes []uint64) (taken int) {
	switch tier {
	case cpu.AVX512GFNI, cpu.AVX512:
		taken = min(len(codes), unitLimitAVX512)
		countUnitAVX512((*[64]uint64)(n), codes[:taken])
	case cpu.AVX2:
		taken = min(len(codes), unitLimitAVX2)
		countUnitAVX2((*[64]uint64)(n), codes[:taken])
	default:
		taken = len(codes)
		n.add(codes)
	}
	return taken
}
