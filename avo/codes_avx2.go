package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// maskBelow8 returns the mask of part i of eight elements of that many bytes, of which the first n
// are wanted. It is read n elements before the place where the ones end.
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

// swapBitsAVX2 swaps the odd bits of each code with the even bits of the next: in p even bits, in q
// odd bits, of codes 0 and 1, 4 and 5, 2 and 3, 6 and 7.
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

// interleaveAVX2 turns the codes of two groups (x and y) into two registers, one a group: the lower
// half holds the interleaved bits of the group's first two codes, the upper half those of its last
// two; of each, the double words are even bits 0..31, odd bits 0..31, even bits 32..63, odd bits
// 32..63.
func interleaveAVX2(b *builder, x, y reg.VecVirtual) (first, second reg.VecVirtual) {
	p, q := swapBitsAVX2(b, x, y)
	b.Comment("Put the even and the odd bits of each group's codes into its register.")
	first, second = b.YMM(), b.YMM()
	b.VPUNPCKLDQ(q, p, first)
	b.VPUNPCKHDQ(q, p, second)
	return first, second
}

// pairsOf returns the codes of pair p of a group, 0 or 1, so that double words 0..3 and 4..7 hold
// the lower and the upper 16 pairs of bits.
func (b *builder) pairsOf(codes reg.VecVirtual, p int) reg.VecVirtual {
	bits := b.YMM()
	b.VPERMQ(operand.U8(0x44+0xAA*p), codes, bits) // the pair's half twice
	b.VPSRLVD(b.words64("upperHalfDown", 4, func(i int) uint64 { return uint64(i/2) * 0x0000001000000010 }), bits, bits)
	return bits
}
