package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// With VNNI, weights within ±127 need no table: VPDPBUSD multiplies bytes and adds four
// neighbouring products to a double word. The weights are used as bytes, unchanged.
// A mask keeps one bit of each byte of the codes: there are eight masks and eight accumulators.
// That of bit b has its sums 2^b times.

// smallLimitVNNI is the number of features up to which such sums fit: 128 times 127 for each.
const smallLimitVNNI = 1 << 17

// smallVNNI takes eight features at a time. Of the double words of each quarter, the first two are
// bytes q and q+1 of the codes of the first group of four, the last two those of the second.
func smallVNNI(g grouped, acc []reg.VecVirtual, in features) {
	b := g.builder
	b.Comment("Constants, and the sums of each bit of a byte from zero.")
	gather := b.halves512(b.bytes("gatherFourCodes", 64, func(i int) uint8 {
		q, group, k := i/16*2+i/4%2, i/8%2, i%4
		return uint8(8*(4*group+k) + q)
	}))
	four := b.load512(b.bytes("fourWeightsTwice", 16, func(i int) uint8 { return uint8(4 * (i/8*4 + i%4)) }))
	var bit [8]operand.Mem
	var sums [8]reg.VecVirtual
	for i := range bit {
		bit[i] = b.bytes(label("bytesOfBit", i), 4, func(int) uint8 { return 1 << i })
		sums[i] = b.zero512()
	}
	add := func(codes, weights reg.VecVirtual) {
		b.Comment("Bytes of four codes beside each other; each bit of theirs times its weight.")
		b.VPERMB(codes, gather, codes)
		b.VPERMB(weights, four, weights)
		for i := range sums {
			bits := b.ZMM()
			b.VPANDD_BCST(bit[i], codes, bits)
			b.VPDPBUSD(weights, bits, sums[i])
		}
	}
	b.SUBQ(operand.U8(8), in.n)
	b.JL(operand.LabelRef("smallRest"))
	b.Label("smallLoop")
	codes, weights := b.ZMM(), b.ZMM()
	b.VMOVDQU64(operand.Mem{Base: in.codes}, codes)
	b.VMOVDQU32(operand.Mem{Base: in.weights}, weights.AsY())
	add(codes, weights)
	b.skip(in, 8)
	b.JGE(operand.LabelRef("smallLoop"))
	b.Label("smallRest")
	b.ADDQ(operand.U8(8), in.n)
	b.JZ(operand.LabelRef("smallDone"))
	b.Comment("The last 1 to 7 features; what is not there counts as weight 0.")
	k := b.maskBelow(in.n)
	codes, weights = b.ZMM(), b.ZMM()
	b.VMOVDQU64_Z(operand.Mem{Base: in.codes}, k, codes)
	b.VMOVDQU32_Z(operand.Mem{Base: in.weights}, k, weights.AsY())
	add(codes, weights)
	b.Label("smallDone")
	b.Comment("Add the two groups of each lane, and divide by the place of its bit.")
	for i, lanes := range acc {
		second := b.ZMM()
		b.VPUNPCKLDQ(sums[2*i+1], sums[2*i], lanes)
		b.VPUNPCKHDQ(sums[2*i+1], sums[2*i], second)
		b.VPADDD(second, lanes, lanes)
		b.VPSRAVD(b.load512(b.words32(label("scaleOfBits", i), 4, func(x int) uint32 { return uint32(2*i + x%2) })), lanes, lanes)
	}
}
