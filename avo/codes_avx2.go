package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// maskBelow8 returns the mask for part i of eight elements of that many bytes, of which the first n
// are wanted. It is loaded from a table of ones followed by zeros, at n elements before the end of
// the ones.
func (b *builder) maskBelow8(n reg.GPVirtual, elementBytes, i int) reg.VecVirtual {
	ones := b.bytes(label("maskEnd", elementBytes), 16*elementBytes, func(i int) uint8 { return uint8(i/(8*elementBytes)) - 1 })
	end, mask := b.GP64(), b.YMM()
	b.LEAQ(ones.Offset(8*elementBytes), end)
	b.NEGQ(n)
	b.VMOVDQU(operand.Mem{Base: end, Index: n, Scale: uint8(elementBytes), Disp: 32 * i}, mask)
	b.NEGQ(n)
	return mask
}

// loadCodesBelow8 loads the first n of eight codes; the others are 0.
func (b *builder) loadCodesBelow8(codes, n reg.GPVirtual) (x, y reg.VecVirtual) {
	var r [2]reg.VecVirtual
	for i := range r {
		r[i] = b.YMM()
		b.VPMASKMOVQ(operand.Mem{Base: codes, Disp: 32 * i}, b.maskBelow8(n, 8, i), r[i])
	}
	return r[0], r[1]
}

// swapBitsAVX2 swaps the odd bits of each code with the even bits of the next code. p has the even
// bits, q the odd bits, of the codes 0 and 1, 4 and 5, 2 and 3, 6 and 7.
func swapBitsAVX2(b *builder, x, y reg.VecVirtual) (p, q reg.VecVirtual) {
	even := b.words64("evenBits", 4, func(int) uint64 { return 0x5555555555555555 })
	b.Comment("Swap single bits between neighbouring codes.")
	p, q = b.YMM(), b.YMM()
	t := b.YMM()
	b.VPUNPCKLQDQ(y, x, p) // codes 0, 4, 2, 6
	b.VPUNPCKHQDQ(y, x, q) // codes 1, 5, 3, 7
	b.VPSRLQ(operand.U8(1), p, t)
	b.VPXOR(q, t, t)
	b.VPAND(even, t, t)
	b.VPXOR(t, q, q)
	b.VPADDQ(t, t, t)
	b.VPXOR(t, p, p)
	return p, q
}

// interleaveAVX2 turns the codes of two groups (x and y) into two registers, one per group. The
// lower half of a register holds the interleaved bits of the group's first two codes, the upper
// half those of its last two. The double words of each half are the even bits 0..31, the odd bits
// 0..31, the even bits 32..63 and the odd bits 32..63.
func interleaveAVX2(b *builder, x, y reg.VecVirtual) (first, second reg.VecVirtual) {
	p, q := swapBitsAVX2(b, x, y)
	b.Comment("Put the even and the odd bits of each group's codes into its register.")
	first, second = b.YMM(), b.YMM()
	b.VPUNPCKLDQ(q, p, first)
	b.VPUNPCKHDQ(q, p, second)
	return first, second
}

// pairsOf returns the codes of pair p (0 or 1) of a group, so that double words 0..3 hold the lower
// 16 pairs of bits and double words 4..7 the upper 16.
func (b *builder) pairsOf(codes reg.VecVirtual, p int) reg.VecVirtual {
	bits := b.YMM()
	b.VPERMQ(operand.U8(0x44+0xAA*p), codes, bits) // the pair's half twice
	b.VPSRLVD(b.words64("upperHalfDown", 4, func(i int) uint64 { return uint64(i/2) * 0x0000001000000010 }), bits, bits)
	return bits
}
