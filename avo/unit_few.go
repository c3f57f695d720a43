package main

import (
	"math/bits"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// turns returns how missing codes vote, by turns, from the first or the second vote on.
func (u unitPlanes) turns(from int) reg.VecVirtual {
	if !u.sketch {
		return u.zero()
	}
	return u.load(u.words64("turns", 9, func(i int) uint64 { return uint64(i%2) - 1 }).Offset(8 * from))
}

// eight counts at most eight codes.
func (u unitPlanes) eight() {
	u.Comment("At most 8 codes.")
	u.bytes = 32
	var r [2]reg.VecVirtual
	if u.shortAVX512 {
		turns, mask := u.turns(1), u.immediate(1<<64-1)
		u.BZHIQ(u.n, mask, mask)
		for i := range r {
			k := u.K()
			u.KMOVB(mask.As32(), k)
			r[i] = u.YMM()
			u.VPBLENDMQ(operand.Mem{Base: u.codes, Disp: 32 * i}, turns, k, r[i])
			u.SHRQ(operand.U8(4), mask)
		}
	} else {
		r[0], r[1] = u.loadCodesBelow8(u.codes, u.n)
		if u.sketch {
			end := u.GP64()
			u.LEAQ(u.words64("turnsEnd8", 16, func(i int) uint64 { return uint64((i/8)*((i+1)%2)) * (1<<64 - 1) }).Offset(64), end)
			u.NEGQ(u.n)
			for i := range r {
				u.VPOR(operand.Mem{Base: end, Index: u.n, Scale: 8, Disp: 32 * i}, r[i], r[i])
			}
		}
	}
	u.finish([]reg.VecVirtual{r[0]}, r[1])
}

// few counts more than least codes and at most size; all after the first least are loaded as the
// tail.
func (u unitPlanes) few(least, size int) {
	u.Comment(label("At most ", size) + " codes: carry-save adders.")
	u.bytes = 32
	a := adder{vectors: u.vectors}
	if u.sketch {
		// As many more votes for as against make the size a power of two: only those for are
		// counted.
		all := 1 << bits.Len(uint(size-1))
		for k, votes := 0, (all-size)/2/u.words(); votes > 0; k, votes = k+1, votes/2 {
			if votes%2 == 1 {
				a.add(k, u.ones())
			}
		}
	}
	for i := range least / u.words() {
		a.add(0, operand.Mem{Base: u.codes, Disp: u.bytes * i})
	}
	var last reg.VecVirtual
	u.loadTail(least, size-least, func(r reg.VecVirtual) {
		if last != nil {
			a.add(0, last)
		}
		last = r
	})
	u.finish(a.planes(), last)
}

// loadTail loads the last codes of the vector, most of them, from its end. The first so many of the
// n codes from u.codes on have been counted: what is loaded of them again has no vote, but those of
// missing codes. At least one has not been counted, and there are at least most before the end.
func (u unitPlanes) loadTail(counted, most int, use func(reg.VecVirtual)) {
	// The tables are read from such a place on that their middle falls on the first code that has
	// not been counted.
	u.Comment("The last codes, loaded from the end; those that are missing vote for and against by turns, or not at all.")
	const longest = 64
	table := func(name string, f func(i int) uint64) reg.GPVirtual {
		at := u.GP64()
		u.LEAQ(u.words64(name, 2*longest, f).Offset(8*(longest-most-counted)), at)
		return at
	}
	masks := table("tailMasks", func(i int) uint64 { return -uint64(i / longest) })
	var votes reg.GPVirtual
	var turns reg.VecVirtual
	switch {
	case u.shortAVX512:
		turns = u.turns(0)
	case u.sketch:
		votes = table("tailVotes", func(i int) uint64 { return -uint64(i % 2 * (1 - i/longest)) })
	}
	for i := range most / u.words() {
		at := func(base reg.GPVirtual, disp int) operand.Mem {
			return operand.Mem{Base: base, Index: u.n, Scale: 8, Disp: disp + u.bytes*i}
		}
		r := u.load(at(u.codes, -8*most))
		if u.shortAVX512 {
			u.VPTERNLOGQ(operand.U8(ternarySelectFirst), at(masks, 0), turns, r)
		} else {
			u.VPAND(at(masks, 0), r, r)
			if u.sketch {
				u.VPOR(at(votes, 0), r, r)
			}
		}
		use(r)
	}
}

// finish adds the columns and the codes in last, and stores the result of a number of votes that is
// a power of two.
func (u unitPlanes) finish(planes []reg.VecVirtual, last reg.VecVirtual) {
	planes, x := u.fold(planes, last)
	if !u.sketch {
		for _, p := range planes {
			x = u.addHalf(p, x)
		}
		u.storePlanes(append(planes, x))
		return
	}
	// The counters hold one vote less than that; x is the last. The highest plane is worth half of
	// the votes: with any other vote they are more than half; alone it is a tie, and so are all
	// others together.
	u.Comment("Signs: the highest plane with any other vote is a majority; alone it is a tie, as all others are.")
	half := planes[len(planes)-1]
	below := append(planes[:len(planes)-1:len(planes)-1], x)
	any, all := u.combine(below, u.or, ternaryOr3), u.combine(below, u.and, ternaryAnd3)
	positive := u.XMM()
	u.and(half, any, positive)
	if u.shortAVX512 {
		u.VPTERNLOGQ(operand.U8(ternaryDifferentNotThird), positive, all, half)
	} else {
		u.VPXOR(half, all, half)
		u.VPANDN(half, positive, half)
	}
	p, z := u.GP64(), u.GP64()
	u.VMOVQ(positive, p)
	u.VMOVQ(half, z)
	u.end(p, z)
}

// combine returns the registers joined by op, or three at a time by a ternary operation. It does
// not change them.
func (u unitPlanes) combine(of []reg.VecVirtual, op func(a, b, c operand.Op), ternary uint8) reg.VecVirtual {
	r, i := u.XMM(), 2
	x := func(i int) operand.Op { return of[i].AsX() }
	if u.shortAVX512 && len(of)%2 == 1 {
		u.VMOVDQA64(x(0), r) // costs nothing but its place
		i = 1
	} else {
		op(x(0), x(1), r)
	}
	for ; i < len(of); i++ {
		if u.shortAVX512 {
			u.VPTERNLOGQ(operand.U8(ternary), x(i), x(i+1), r)
			i++
		} else {
			op(x(i), r, r)
		}
	}
	return r
}
