package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// find returns the accumulator and the element that hold the lane.
func (g grouped) find(lane int) (i, e int) {
	for i := range g.accumulators() {
		for e := range 512 / g.bits {
			if g.laneOf(i, e) == lane {
				return i, e
			}
		}
	}
	panic("no such lane")
}

// loadLanes loads the lanes, which are in their natural order in memory, into the accumulators.
func (g grouped) loadLanes(lanes reg.GPVirtual) []reg.VecVirtual {
	b := g.builder
	b.Comment("Bring the lanes into the order of the accumulators.")
	acc := make([]reg.VecVirtual, g.accumulators())
	if g.bits == 64 {
		for i := range acc {
			acc[i] = b.ZMM()
			k, at := b.maskOf(func(e int) bool { return e < 8 }), g.places(i)
			b.VPGATHERQQ(operand.Mem{Base: lanes, Index: at, Scale: 8}, k, acc[i])
		}
		return acc
	}
	// A permutation of two registers reaches 32 lanes, so an accumulator is combined from lanes
	// 0..31 and lanes 32..63.
	var m [4]reg.VecVirtual
	for q := range m {
		m[q] = b.ZMM()
		b.VMOVDQU64(operand.Mem{Base: lanes, Disp: 64 * q}, m[q])
	}
	upper := b.maskOf(func(e int) bool { return g.laneOf(0, e) >= 32 })
	for i := range acc {
		from := b.load512(b.words32(label("load"+g.order, i), 16, func(e int) uint32 { return uint32(g.laneOf(i, e) % 32) }))
		acc[i] = b.permute4(m, from, upper)
	}
	return acc
}

// storeLanes is the inverse of loadLanes.
func (g grouped) storeLanes(acc []reg.VecVirtual, lanes reg.GPVirtual) {
	b := g.builder
	b.Comment("Bring the lanes back into their natural order.")
	if g.bits == 64 {
		for i := range acc {
			k := b.maskOf(func(e int) bool { return e < 8 })
			b.VPSCATTERQQ(acc[i], k, operand.Mem{Base: lanes, Index: g.places(i), Scale: 8})
		}
		return
	}
	for q, r := range g.naturalOrder(acc) {
		b.VMOVDQU64(r, operand.Mem{Base: lanes, Disp: 64 * q})
	}
}

// places returns the numbers of the lanes that accumulator i holds.
func (g grouped) places(i int) reg.VecVirtual {
	return g.load512(g.words64(label("lanes"+g.order, i), 8, func(e int) uint64 { return uint64(g.laneOf(i, e)) }))
}

// naturalOrder returns four registers of 32-bit lanes, lane 16q+e in element e of register q.
func (g grouped) naturalOrder(acc []reg.VecVirtual) (r [4]reg.VecVirtual) {
	b := g.builder
	upper := b.maskOf(func(e int) bool { i, _ := g.find(e); return i >= 2 })
	for q := range r {
		from := b.load512(b.words32(label("store"+g.order, q), 16, func(e int) uint32 { i, x := g.find(16*q + e); return uint32(16*(i%2) + x) }))
		r[q] = b.permute4([4]reg.VecVirtual(acc), from, upper)
	}
	return r
}

// maskOf returns a mask register of 16 bits in which bit x is is(x).
func (b *builder) maskOf(is func(x int) bool) reg.OpmaskVirtual {
	var bits uint32
	for x := range 16 {
		if is(x) {
			bits |= 1 << x
		}
	}
	r, k := b.GP32(), b.K()
	b.MOVL(operand.U32(bits), r)
	b.KMOVW(r, k)
	return k
}

// permute4 returns, in double word x, the double word at position from[x] of s[0] and s[1], or of
// s[2] and s[3] if bit x of upper is set.
func (b *builder) permute4(s [4]reg.VecVirtual, from reg.VecVirtual, upper reg.OpmaskVirtual) reg.VecVirtual {
	low, high := b.ZMM(), b.ZMM()
	b.VMOVDQA64(s[0], low)
	b.VPERMT2D(s[1], from, low)
	b.VMOVDQA64(s[2], high)
	b.VPERMT2D(s[3], from, high)
	b.VMOVDQA32(high, upper, low)
	return low
}

// signs compares the accumulators with 0 and stores the results. A single test detects lanes that
// are 0 or not finite; their masks are computed only if there are any.
func (g grouped) signs(acc []reg.VecVirtual) {
	// VFPCLASS: quiet NaN 1, +0 2, -0 4, +infinity 8, -infinity 16, signalling NaN 128
	const rareClasses, infiniteClasses = 0x9F, 0x99
	b := g.builder
	b.Comment("The signs of the lanes.")
	zero := b.zero512()
	class := func(classes int) func(i int, k reg.OpmaskVirtual) {
		return func(i int, k reg.OpmaskVirtual) {
			if g.bits == 32 {
				b.VFPCLASSPSZ(operand.U8(classes), acc[i], k)
			} else {
				b.VFPCLASSPDZ(operand.U8(classes), acc[i], k)
			}
		}
	}
	isZero := func(i int, k reg.OpmaskVirtual) {
		switch {
		case g.float && g.bits == 32:
			b.VCMPPS(operand.U8(compareEqual), zero, acc[i], k)
		case g.float:
			b.VCMPPD(operand.U8(compareEqual), zero, acc[i], k)
		default:
			b.VPTESTNMQ(acc[i], acc[i], k)
		}
	}
	g.collect(acc, "Positive", func(i int, k reg.OpmaskVirtual) {
		switch {
		case g.float && g.bits == 32:
			b.VCMPPS(operand.U8(compareGreater), zero, acc[i], k)
		case g.float:
			b.VCMPPD(operand.U8(compareGreater), zero, acc[i], k)
		default:
			b.VPCMPGTQ(zero, acc[i], k)
		}
	})
	isRare := isZero
	if g.float {
		isRare = class(rareClasses)
	} else {
		b.storeAllFinite()
	}
	b.Comment("Is any lane 0 or not finite?")
	var rare [2]reg.OpmaskVirtual
	for i := range acc {
		k := b.K()
		isRare(i, k)
		if i < 2 {
			rare[i] = k
		} else {
			b.KORW(k, rare[i%2], rare[i%2])
		}
	}
	b.KORTESTW(rare[0], rare[1])
	b.JNZ(operand.LabelRef("rare"))
	none := b.GP64()
	b.XORL(none.As32(), none.As32())
	b.storeSign("Zero", none)
	if g.float {
		b.storeSign("NonFinite", none)
	}
	b.leave()
	b.Label("rare")
	g.collect(acc, "Zero", isZero)
	if g.float {
		g.collect(acc, "NonFinite", class(infiniteClasses))
	}
	b.leave()
}

// collect stores the comparison of all lanes, bit j for lane j.
func (g grouped) collect(acc []reg.VecVirtual, result string, compare func(i int, k reg.OpmaskVirtual)) {
	b := g.builder
	b.Comment(result + ": one bit for each lane, accumulator by accumulator.")
	var all reg.GPVirtual
	var spread reg.GPVirtual
	before := uint64(0)
	for i := range acc {
		k, bits := b.K(), b.GP64()
		compare(i, k)
		if g.bits == 32 {
			b.KMOVW(k, bits.As32())
		} else {
			b.KMOVB(k, bits.As32())
		}
		// The lanes of an accumulator ascend with its elements, so one PDEP moves its bits to their
		// places. Accumulators whose lanes differ by a constant share the pattern.
		var places uint64
		for e := range 512 / g.bits {
			places |= 1 << g.laneOf(i, e)
		}
		shift := g.laneOf(i, 0)
		if pattern := places >> shift; pattern != before {
			spread, before = b.immediate(pattern), pattern
		}
		b.PDEPQ(spread, bits, bits)
		if shift > 0 {
			b.SHLQ(operand.U8(shift), bits)
		}
		if i == 0 {
			all = bits
		} else {
			b.ORQ(bits, all)
		}
	}
	b.storeSign(result, all)
}
