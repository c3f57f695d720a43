package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// look emits the look at i32 weights that says which form will do. It ORs their absolute values, so that one test tells whether any has a bit that it must not have.
func (v vectors) look(isa string) {
	b, name := v.builder, "lookI32"+isa
	b.function(name, "func(weights []int32, tooWide uint32) (form, total uint32)", name+
		" returns 0 if the weights are within ±127, and their sum; 2 if the absolute value of one has a bit of tooWide, a mask of bits from 7 up; else 1.")
	weights := b.Load(b.Param("weights").Base(), b.GP64()).(reg.GPVirtual)
	n := b.Load(b.Param("weights").Len(), b.GP64()).(reg.GPVirtual)
	form := b.GP32()
	b.XORL(form, form)
	any, total := v.zero(), v.zero()
	take := func(w reg.VecVirtual) {
		b.VPADDD(w, total, total)
		b.VPABSD(w, w)
		v.or(w, any, any)
	}
	elements := v.bytes / 4
	b.SUBQ(operand.U8(elements), n)
	b.JL(operand.LabelRef("rest"))
	b.Label("loop")
	take(v.load(operand.Mem{Base: weights}))
	b.ADDQ(operand.U8(v.bytes), weights)
	b.SUBQ(operand.U8(elements), n)
	b.JGE(operand.LabelRef("loop"))
	b.Label("rest")
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

	tooLarge, tooWide := v.register(), v.register()
	b.VPBROADCASTD(b.words32("beyond127", 1, func(int) uint32 { return ^uint32(127) }), tooLarge)
	if v.bytes == 64 {
		b.VPBROADCASTD(b.Load(b.Param("tooWide"), b.GP32()), tooWide)
	} else {
		x := b.XMM()
		b.VMOVD(b.Load(b.Param("tooWide"), b.GP32()), x)
		b.VPBROADCASTD(x, tooWide)
	}
	v.addIfAny(any, tooWide, form)
	v.addIfAny(any, tooLarge, form)
	b.Store(form, b.Return("form"))
	b.TESTL(form, form)
	b.JNZ(operand.LabelRef("done"))
	b.Store(v.sum(total), b.Return("total"))
	b.VZEROUPPER()
	b.RET()
	b.Label("done")
	b.Store(form, b.Return("total")) // of no use, but it must not be what lay there before
	b.VZEROUPPER()
	b.RET()
}

// addIfAny adds 1 to count if any has a bit of mask.
func (v vectors) addIfAny(any, mask reg.VecVirtual, count reg.GPVirtual) {
	one := v.GP32()
	v.XORL(one, one)
	if v.bytes == 64 {
		k := v.K()
		v.VPTESTMD(mask, any, k)
		v.KORTESTW(k, k)
	} else {
		v.VPTEST(mask, any)
	}
	v.SETNE(one.As8())
	v.ADDL(one, count)
}

// sum returns the sum of all double words, modulo 1<<32.
func (v vectors) sum(r reg.VecVirtual) reg.GPVirtual {
	if v.bytes == 64 {
		half := v.YMM()
		v.VEXTRACTI64X4(operand.U8(1), r, half)
		v.VPADDD(r.AsY(), half, half)
		r = half
	}
	x := v.XMM()
	v.VEXTRACTI128(operand.U8(1), r, x)
	v.VPADDD(r.AsX(), x, x)
	for _, order := range []int{0x4E, 0xB1} {
		other := v.XMM()
		v.VPSHUFD(operand.U8(order), x, other)
		v.VPADDD(other, x, x)
	}
	total := v.GP32()
	v.VMOVD(x, total)
	return total
}
