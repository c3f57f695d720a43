//go:build !purego

package accumulate

import "simhashkit/asm/cpu"

var unitKernels = []cpu.Kernel{
	cpu.KernelAt(cpu.NEON, cpu.ExtASIMD),
	cpu.KernelAt(cpu.Generic, 0),
}

// unitLimitNEON is what the counters of the kernel hold, in codes; more codes are added in pieces.
const unitLimitNEON = 2016

func addUnitAt(tier cpu.Tier, lanes *[64]int64, codes []uint64) {
	switch tier {
	case cpu.NEON:
		for len(codes) > 0 {
			var planes counts
			n := planes.addPiece(codes)
			planes.addTo(lanes, n)
			codes = codes[n:]
		}
	default:
		addUnitGeneric(lanes, codes)
	}
}

func sketchUnitAt(tier cpu.Tier, codes []uint64) Signs {
	if tier != cpu.NEON {
		return sketchUnitGeneric(codes)
	}
	var sum counts
	for rest := codes[sum.addPiece(codes):]; len(rest) > 0; {
		var planes counts
		rest = rest[planes.addPiece(rest):]
		sum.plus(&planes)
	}
	return sum.majority(len(codes))
}

// addPiece counts the ones of as many codes as the kernel's counters hold into n, which must be all
// zero, and returns how many.
func (n *counts) addPiece(codes []uint64) (taken int) {
	taken = min(len(codes), unitLimitNEON)
	countUnitNEON((*[64]uint64)(n), codes[:taken])
	return taken
}
