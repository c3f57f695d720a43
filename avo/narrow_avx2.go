package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// emitInt32AVX2 stores the low halves of eight words at a time. After adding 2^31, the upper half
// of a word is 0 if the word fits int32.
func emitInt32AVX2(b vectors) {
	b.function("int32AVX2", "func(dst []int32, src []int64) (beyond uint64)", "int32AVX2 works like int32Generic, on multiples of eight elements.")
	dst := b.base("dst")
	src, n := b.slice("src")
	bias, beyond := b.YMM(), b.zero256()
	b.VPBROADCASTQ(b.words64("bias", 1, func(int) uint64 { return 1 << 31 }), bias)
	b.Label("loop")
	b.SUBQ(operand.U8(8), n)
	b.JL(operand.LabelRef("done"))
	var halves [2]reg.VecVirtual
	for i := range halves {
		biased := b.YMM()
		halves[i] = b.YMM()
		b.VMOVDQU(operand.Mem{Base: src, Disp: 32 * i}, halves[i])
		b.VPADDQ(bias, halves[i], biased)
		b.VPOR(biased, beyond, beyond)
	}
	b.VSHUFPS(operand.U8(0x88), halves[1], halves[0], halves[0]) // low halves, with quarters in the order 0, 2, 1, 3
	b.VPERMQ(operand.U8(0xD8), halves[0], halves[0])
	b.VMOVDQU(halves[0], operand.Mem{Base: dst})
	b.ADDQ(operand.U8(64), src)
	b.ADDQ(operand.U8(32), dst)
	b.JMP(operand.LabelRef("loop"))
	b.Label("done")
	upper := b.XMM()
	b.VEXTRACTI128(operand.U8(1), beyond, upper)
	b.VPOR(upper, beyond.AsX(), upper)
	high, low := b.XMM(), b.GP64()
	b.VPSHUFD(operand.U8(0xEE), upper, high)
	b.VPOR(high, upper, upper)
	b.VMOVQ(upper, low)
	b.Store(low, b.ReturnIndex(0))
	b.leave()
}
