package accumulate

import (
	"math"
	"math/bits"

	"simhashkit/asm/cpu"
)

// AddUnit adds 1 to lane j for every code whose bit j is 1, and subtracts 1 for every code whose
// bit j is 0.
func AddUnit(lanes *[64]int64, codes []uint64) { addUnitAt(cpu.Active(), lanes, codes) }

// SketchUnit returns the signs that lanes have after adding ±1 for every code to 0: the majority of
// the codes, bit by bit.
func SketchUnit(codes []uint64) Signs { return sketchUnitAt(cpu.Active(), codes) }

func addUnitAt(tier cpu.Tier, lanes *[64]int64, codes []uint64) {
	if tier < cpu.AVX512GFNI {
		var c UnitCounter
		c.addAt(tier, codes)
		c.AddTo(lanes)
		return
	}
	for len(codes) > 0 {
		n := min(len(codes), unitLimit(tier))
		var counts [64]uint16
		countLanesAt(tier, &counts, codes[:n])
		codes = codes[n:]
		for j, c := range counts {
			lanes[j] += 2*int64(c) - int64(n)
		}
	}
}

// leastUnitLimit is the smallest capacity of the kernels of SketchUnit.
const leastUnitLimit = 4_064

// unitLimit returns the capacity of the counters of a tier's kernel, in codes. More codes are added
// in pieces.
func unitLimit(tier cpu.Tier) int {
	switch {
	case tier >= cpu.AVX512:
		return 1<<16 - 1
	case tier >= cpu.AVX2:
		return leastUnitLimit
	case tier >= cpu.NEON:
		return 2_016
	}
	return math.MaxInt
}

// sketchUnitInPieces is SketchUnit for no codes, and for more than a kernel counts.
func sketchUnitInPieces(tier cpu.Tier, codes []uint64) Signs {
	var c UnitCounter
	c.addAt(tier, codes)
	return c.Signs()
}

// UnitCounter does the work of AddUnit over any number of calls. It counts the codes whose bit j is
// 1, for all j, in bit-sliced counters. Adding to these costs less than adding to lanes. The zero
// value has counted no codes.
type UnitCounter struct {
	ones  counts
	total int // codes
}

// Add counts the codes.
func (c *UnitCounter) Add(codes []uint64) { c.addAt(cpu.Active(), codes) }

func (c *UnitCounter) addAt(tier cpu.Tier, codes []uint64) {
	for len(codes) > 0 {
		n := 0
		if c.total == 0 {
			n = c.ones.addPiece(tier, codes)
		} else {
			var piece counts
			n = piece.addPiece(tier, codes)
			c.ones.plus(&piece, n)
		}
		c.total += n
		codes = codes[n:]
	}
}

// AddTo adds to the lanes what AddUnit would have added for the codes.
func (c *UnitCounter) AddTo(lanes *[64]int64) { c.ones.addTo(lanes, c.total) }

// Signs returns what SketchUnit would return for the codes.
func (c *UnitCounter) Signs() Signs { return c.ones.majority(c.total) }

// counts holds 64 counters bit-sliced: bit j of counts[k] is bit k of counter j. So one operation
// on a word works on all 64 counters, and counting the ones takes about five operations per code
// (Harley and Seal's carry-save adders) instead of 64.
type counts [64]uint64

// add3 is a carry-save adder: for each bit, a+b+c = 2·carry + sum.
func add3(a, b, c uint64) (sum, carry uint64) {
	t := a ^ b
	return t ^ c, a&b | t&c
}

// addPiece counts the ones of as many codes as the kernel's counters can count into n, which must
// be all zero, and returns the number of codes.
func (n *counts) addPiece(tier cpu.Tier, codes []uint64) (taken int) {
	taken = min(len(codes), unitLimit(tier))
	countUnitAt(tier, (*[64]uint64)(n), codes[:taken])
	return taken
}

// countUnitGeneric counts the ones of the codes into n, which must be all zero.
func countUnitGeneric(n *[64]uint64, codes []uint64) {
	var ones, twos, fours, eights uint64
	for len(codes) >= 16 {
		c := (*[16]uint64)(codes)
		codes = codes[16:]
		var a2, b2, a4, b4, a8, b8, sixteens uint64
		ones, a2 = add3(ones, c[0], c[1])
		ones, b2 = add3(ones, c[2], c[3])
		twos, a4 = add3(twos, a2, b2)
		ones, a2 = add3(ones, c[4], c[5])
		ones, b2 = add3(ones, c[6], c[7])
		twos, b4 = add3(twos, a2, b2)
		fours, a8 = add3(fours, a4, b4)
		ones, a2 = add3(ones, c[8], c[9])
		ones, b2 = add3(ones, c[10], c[11])
		twos, a4 = add3(twos, a2, b2)
		ones, a2 = add3(ones, c[12], c[13])
		ones, b2 = add3(ones, c[14], c[15])
		twos, b4 = add3(twos, a2, b2)
		fours, b8 = add3(fours, a4, b4)
		eights, sixteens = add3(eights, a8, b8)
		for k := 4; sixteens != 0; k++ {
			n[k], sixteens = n[k]^sixteens, n[k]&sixteens
		}
	}
	for len(codes) >= 4 {
		var a2, b2, a4, a8 uint64
		ones, a2 = add3(ones, codes[0], codes[1])
		ones, b2 = add3(ones, codes[2], codes[3])
		codes = codes[4:]
		twos, a4 = add3(twos, a2, b2)
		fours, a8 = fours^a4, fours&a4
		eights ^= a8
		// At most 15 codes are left after the groups of sixteen, but eights may be set already. So
		// the carry of adding to it must be propagated.
		for k, carry := 4, a8&^eights; carry != 0; k++ {
			n[k], carry = n[k]^carry, n[k]&carry
		}
	}
	n[0], n[1], n[2], n[3] = ones, twos, fours, eights
	for _, c := range codes {
		for k := 0; c != 0; k++ {
			n[k], c = n[k]^c, n[k]&c
		}
	}
}

// plus adds the counters of other, none of which is greater than most.
func (n *counts) plus(other *counts, most int) {
	digits := bits.Len(uint(most))
	var carry uint64
	for k := range n {
		if k >= digits && carry == 0 {
			break
		}
		n[k], carry = add3(n[k], other[k], carry)
	}
}

// addTo adds the votes of the counted codes, whose number is total, to the lanes.
func (n *counts) addTo(lanes *[64]int64, total int) {
	for j := range lanes {
		lanes[j] -= int64(total)
	}
	// Eight words at a time are transposed in blocks of 8×8 bits, which gives a byte for each lane.
	for k := 0; k < bits.Len(uint(total)); k += 8 {
		words := (*[8]uint64)(n[k:])
		for first := 0; first < 64; first += 8 {
			var piece uint64
			for i, word := range words {
				piece |= word >> first & 0xFF << (8 * i)
			}
			piece = transpose8(piece)
			for j := range (*[8]int64)(lanes[first:]) {
				lanes[first+j] += int64(piece>>(8*j)&0xFF) << (k + 1)
			}
		}
	}
}

// transpose8 transposes 8×8 bits, one row in each byte (Warren, Hacker's Delight, section 7-3).
func transpose8(x uint64) uint64 {
	t := (x ^ x>>7) & 0x00AA00AA00AA00AA
	x ^= t ^ t<<7
	t = (x ^ x>>14) & 0x0000CCCC0000CCCC
	x ^= t ^ t<<14
	t = (x ^ x>>28) & 0x00000000F0F0F0F0
	return x ^ t ^ t<<28
}

func sketchUnitGeneric(codes []uint64) Signs {
	var n counts
	countUnitGeneric((*[64]uint64)(&n), codes)
	return n.majority(len(codes))
}

// majority compares each counter with half of total, starting with the most significant bits.
func (n *counts) majority(total int) Signs {
	var more uint64
	same := ^uint64(0)
	for k := bits.Len(uint(total)) - 1; k >= 0; k-- {
		half := -(uint64(total) >> (k + 1) & 1) // bit k of total/2, on all lanes
		more |= same & n[k] &^ half
		same &^= n[k] ^ half
	}
	if total&1 != 0 {
		same = 0 // an odd number of votes of ±1 never sums to 0
	}
	return Signs{Positive: more, Zero: same}
}
