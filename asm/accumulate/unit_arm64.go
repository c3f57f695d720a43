//go:build !purego

package accumulate

import "simhashkit/asm/cpu"

var unitKernels = []cpu.Kernel{
	cpu.KernelAt(cpu.NEON, cpu.ExtASIMD),
	cpu.KernelAt(cpu.Generic, 0),
}

// unitLimitNEON is the capacity of the kernel's counters, in codes. More codes are added in pieces.
const unitLimitNEON = 2016

func addUnitAt(tier cpu.Tier, lanes *[64]int64, codes []uint64) { addCounted(tier, lanes, codes) }

func sketchUnitAt(tier cpu.Tier, codes []uint64) Signs {
	var c UnitCounter
	c.addAt(tier, codes)
	return c.Signs()
}

// addPiece counts the ones of as many codes as the kernel's counters can count into n, which must
// be all zero, and returns the number of codes.
func (n *counts) addPiece(tier cpu.Tier, codes []uint64) (taken int) {
	if tier != cpu.NEON {
		n.add(codes)
		return len(codes)
	}
	taken = min(len(codes), unitLimitNEON)
	countUnitNEON((*[64]uint64)(n), codes[:taken])
	return taken
}
