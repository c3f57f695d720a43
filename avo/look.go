package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// look emits the look at i32 weights that says which form will do. It returns the OR of their
// absolute values, so that one test tells whether any has a bit that it must not have, and the
// elements of their sum.
func (v vectors) look() (any, total reg.VecVirtual) {
	b := v.builder
	b.Comment("The bits of the absolute values of all weights, and their sum.")
	weights, n := b.slice("weights")
	any, total = v.zero(), v.zero()
	take := func(w reg.VecVirtual) {
		b.VPADDD(w, total, total)
		b.VPABSD(w, w)
		v.or(w, any, any)
	}
	elements := v.bytes / 4
	b.SUBQ(operand.U8(elements), n)
	b.JL(operand.LabelRef("last"))
	b.Label("look")
	take(v.load(operand.Mem{Base: weights}))
	b.ADDQ(operand.U8(v.bytes), weights)
	b.SUBQ(operand.U8(elements), n)
	b.JGE(operand.LabelRef("look"))
	b.Label("last")
	b.ADDQ(operand.U8(elements), n)
	b.JZ(operand.LabelRef("seen"))
	w := v.register()
	if v.bytes == 64 {
		b.VMOVDQU32_Z(operand.Mem{Base: weights}, b.maskBelow(n), w)
	} else {
		b.VPMASKMOVD(operand.Mem{Base: weights}, b.maskBelow8(n, 4, 0), w)
	}
	take(w)
	b.Label("seen")
	return any, total
}

// beyond127 sets the zero flag if any has no bit that numbers up to 127 have not.
func (v vectors) beyond127(any reg.VecVirtual) {
	v.Comment("Is any weight beyond ±127?")
	mask := v.register()
	v.VPBROADCASTD(v.words32("beyond127", 1, func(int) uint32 { return ^uint32(127) }), mask)
	v.testAny(any, mask)
}

// beyondNarrow sets the zero flag if any has no bit that would allow the sum of all absolute values
// to reach 1<<31. There is a weight, and there are fewer than 1<<24.
func (v vectors) beyondNarrow(any reg.VecVirtual) {
	v.Comment("May a sum need more than 32 bits?")
	n, shift, x := v.Load(v.Param("weights").Len(), v.GP64()), v.GP64(), v.XMM()
	v.BSRQ(n, n)
	v.MOVQ(operand.U32(30), shift)
	v.SUBQ(n, shift)
	v.VMOVQ(shift, x)
	high := v.register()
	v.VPSRLD(x, any, high)
	v.testAny(high, high)
}

func (v vectors) testAny(any, mask reg.VecVirtual) {
	if v.bytes == 64 {
		k := v.K()
		v.VPTESTMD(mask, any, k)
		v.KORTESTW(k, k)
	} else {
		v.VPTEST(mask, any)
	}
}

// sumEverywhere leaves the sum of all double words, modulo 1<<32, in each of them.
func (v vectors) sumEverywhere(r reg.VecVirtual) {
	v.Comment("The total of the weights, in every element.")
	turned := v.register()
	turn := func(order int, by func(...operand.Op)) {
		by(operand.U8(order), r, turned)
		v.VPADDD(turned, r, r)
	}
	if v.bytes == 64 {
		turn(0x4E, func(o ...operand.Op) { v.VSHUFI64X2(o[0], o[1], o[1], o[2]) })
		turn(0xB1, func(o ...operand.Op) { v.VSHUFI64X2(o[0], o[1], o[1], o[2]) })
	} else {
		turn(0x01, func(o ...operand.Op) { v.VPERM2I128(o[0], o[1], o[1], o[2]) })
	}
	turn(0x4E, v.VPSHUFD)
	turn(0xB1, v.VPSHUFD)
}
