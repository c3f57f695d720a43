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

// What the counters of the kernels hold, in codes; more codes are added in pieces.
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
	case cpu.AVX512, cpu.AVX2:
		for len(codes) > 0 {
			var planes counts
			n := planes.addPiece(tier, codes)
			planes.addTo(lanes, n)
			codes = codes[n:]
		}
	default:
		addUnitGeneric(lanes, codes)
	}
}

func sketchUnitAt(tier cpu.Tier, codes []uint64) Signs {
	if uint(len(codes))-1 >= unitLimitAVX2 { // none, or more than the counters of some kernel hold
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
	case tier == cpu.Generic:
		return sketchUnitGeneric(codes)
	case tier == cpu.AVX512GFNI && len(codes) <= unitLimitAVX512:
		return sketchUnitAVX512GFNI(codes)
	case tier == cpu.AVX512GFNI:
		var lanes [64]int64
		addUnitAt(tier, &lanes, codes)
		return SignsI64(&lanes)
	case tier == cpu.AVX512 && len(codes) <= unitLimitAVX512:
		return sketchUnitAVX512(codes)
	case len(codes) == 0:
		// at AVX2 a masked load of nothing, from nowhere, would be legal but takes the slow path of
		// the processor
		return Signs{Zero: ^uint64(0)}
	}
	var sum counts
	for rest := codes; len(rest) > 0; {
		var planes counts
		rest = rest[planes.addPiece(tier, rest):]
		sum.plus(&planes)
	}
	return sum.majority(len(codes))
}

// addPiece counts the ones of as many codes as the kernel's counters hold into n, which must be all
// zero, and returns how many.
func (n *counts) addPiece(tier cpu.Tier, codes []uint64) (taken int) {
	if tier == cpu.AVX512 {
		taken = min(len(codes), unitLimitAVX512)
		countUnitAVX512((*[64]uint64)(n), codes[:taken])
	} else {
		taken = min(len(codes), unitLimitAVX2)
		countUnitAVX2((*[64]uint64)(n), codes[:taken])
	}
	return taken
}
