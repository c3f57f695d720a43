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
	b.Comment("Bring the lanes back into their own order.")
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
