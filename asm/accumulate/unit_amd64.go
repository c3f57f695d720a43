//go:build !purego

package accumulate

import "simhashkit/asm/cpu"

const (
	needsUnitAVX2       = cpu.ExtAVX | cpu.ExtAVX2
	needsUnitAVX512     = cpu.ExtAVX | cpu.ExtBMI2 | cpu.ExtAVX512F | cpu.ExtAVX512DQ | cpu.ExtAVX512VL
	needsUnitAVX512GFNI = cpu.ExtAVX | cpu.ExtBMI2 | cpu.ExtAVX512F | cpu.ExtAVX512BW | cpu.ExtAVX512DQ | cpu.ExtAVX512VBMI | cpu.ExtAVX512BITALG | cpu.ExtGFNI

	// What the counters of the kernels hold, in codes.
	unitLimitAVX2   = 4_064
	unitLimitAVX512 = 1<<16 - 1
)

// UnitKernels returns the implementations of AddUnit and SketchUnit, fastest first, generic last.
func UnitKernels() []UnitKernel {
	return []UnitKernel{
		{cpu.Kernel{Name: "avx512gfni", Tier: cpu.AVX512GFNI, Needs: needsUnitAVX512GFNI}, addUnitAVX512GFNI, signsUnitAVX512GFNI},
		{cpu.Kernel{Name: "avx512", Tier: cpu.AVX512, Needs: needsUnitAVX512}, addUnitAVX512, signsUnitAVX512},
		{cpu.Kernel{Name: "avx2", Tier: cpu.AVX2, Needs: needsUnitAVX2}, addUnitAVX2, signsUnitAVX2},
		unitGeneric,
	}
}

// AddUnit adds 1 to lane j for every code whose bit j is 1 and subtracts 1 for every other.
func AddUnit(lanes *[64]int64, codes []uint64) {
	switch cpu.Active() {
	case cpu.AVX512GFNI:
		addUnitAVX512GFNI(lanes, codes)
	case cpu.AVX512:
		addUnitAVX512(lanes, codes)
	case cpu.AVX2:
		addUnitAVX2(lanes, codes)
	default:
		addUnitGeneric(lanes, codes)
	}
}

// SketchUnit returns the signs of lanes that start from 0 and gain ±1 for every code: the majority
// of the codes, bit by bit.
func SketchUnit(codes []uint64) Signs {
	tier := cpu.Active()
	if uint(len(codes))-1 >= unitLimitAVX2 { // none, or more than the counters of some kernel hold
		return sketchUnitAt(tier, codes)
	}
	switch tier {
	case cpu.AVX512GFNI:
		return shortUnitAVX512GFNI(codes)
	case cpu.AVX512:
		return shortUnitAVX512(codes)
	case cpu.AVX2:
		return shortUnitAVX2(codes)
	default:
		return sketchUnitGeneric(codes)
	}
}

// sketchUnitAt is SketchUnit for any number of codes.
func sketchUnitAt(tier cpu.Tier, codes []uint64) Signs {
	switch tier {
	case cpu.AVX512GFNI:
		return signsUnitAVX512GFNI(codes)
	case cpu.AVX512:
		return signsUnitAVX512(codes)
	case cpu.AVX2:
		return signsUnitAVX2(codes)
	default:
		return sketchUnitGeneric(codes)
	}
}

// The kernels take as many codes as their counters hold; more are added in pieces.

func addUnitAVX512GFNI(lanes *[64]int64, codes []uint64) {
	for len(codes) > 0 {
		n := min(len(codes), unitLimitAVX512)
		var counts [64]uint16
		countUnitAVX512GFNI(&counts, codes[:n])
		codes = codes[n:]
		for j, c := range counts {
			lanes[j] += 2*int64(c) - int64(n)
		}
	}
}

func signsUnitAVX512GFNI(codes []uint64) Signs {
	if len(codes) > unitLimitAVX512 {
		var lanes [64]int64
		addUnitAVX512GFNI(&lanes, codes)
		return SignsI64(&lanes)
	}
	return shortUnitAVX512GFNI(codes)
}

func shortUnitAVX512GFNI(codes []uint64) Signs {
	positive, zero := sketchUnitAVX512GFNI(codes)
	return Signs{Positive: positive, Zero: zero}
}

func addUnitAVX512(lanes *[64]int64, codes []uint64) {
	for len(codes) > 0 {
		n := min(len(codes), unitLimitAVX512)
		var planes counts
		countUnitAVX512((*[64]uint64)(&planes), codes[:n])
		planes.addTo(lanes, n)
		codes = codes[n:]
	}
}

func signsUnitAVX512(codes []uint64) Signs {
	if len(codes) > unitLimitAVX512 {
		var sum counts
		for rest := codes; len(rest) > 0; {
			n := min(len(rest), unitLimitAVX512)
			var planes counts
			countUnitAVX512((*[64]uint64)(&planes), rest[:n])
			sum.plus(&planes)
			rest = rest[n:]
		}
		return sum.majority(len(codes))
	}
	return shortUnitAVX512(codes)
}

func shortUnitAVX512(codes []uint64) Signs {
	positive, zero := sketchUnitAVX512(codes)
	return Signs{Positive: positive, Zero: zero}
}

func addUnitAVX2(lanes *[64]int64, codes []uint64) {
	for len(codes) > 0 {
		n := min(len(codes), unitLimitAVX2)
		var planes counts
		countUnitAVX2((*[64]uint64)(&planes), codes[:n])
		planes.addTo(lanes, n)
		codes = codes[n:]
	}
}

func signsUnitAVX2(codes []uint64) Signs {
	if len(codes) == 0 {
		// a masked load of nothing, from nowhere, would be legal but takes the slow path of the
		// processor
		return Signs{Zero: ^uint64(0)}
	}
	if len(codes) > unitLimitAVX2 {
		var sum counts
		for rest := codes; len(rest) > 0; {
			n := min(len(rest), unitLimitAVX2)
			var planes counts
			countUnitAVX2((*[64]uint64)(&planes), rest[:n])
			sum.plus(&planes)
			rest = rest[n:]
		}
		return sum.majority(len(codes))
	}
	return shortUnitAVX2(codes)
}

func shortUnitAVX2(codes []uint64) Signs {
	positive, zero := sketchUnitAVX2(codes)
	return Signs{Positive: positive, Zero: zero}
}
