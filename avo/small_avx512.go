package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Without VNNI, weights within ±127 are summed in 16-bit lanes, of which a register holds twice as
// many. Before they can overflow, they are emptied into 32-bit lanes.
//
// A table has the sums of all subsets of a few weights. VPMADDUBSW computes them: it multiplies the
// weights, as bytes, by constant bytes of 0 and 1, and adds neighbouring products.

// smallLimitWords is the maximum number of features. The sums of so many weights within ±127 fit in
// 32 bits, and no caller passes more.
const smallLimitWords = 1 << 24

// safeWords is the number of steps of eight features before a 16-bit lane may overflow. A step adds
// at most 4·127 to a lane.
const safeWords = 64

// smallWords adds eight features at a time. The words of the interleaved codes have four nibbles
// each. In the lower half of the register, these are positions in the table of the first four
// weights, and in the upper half, positions in that of the last four. One register has both tables.
func smallWords(g grouped, acc []reg.VecVirtual, in features) {
	b := g.builder
	b.Comment("Load constants, and clear the lanes of 32 bits.")
	nibbles := interleaveAVX512(b)
	low := b.load512(b.words16("lowNibbles", 8, func(int) uint16 { return 0x0F0F }))
	upperTable := b.halves512(b.words16("upperTable", 32, func(i int) uint16 { return uint16(i/16) * 0x1010 }))
	var pair, bits [2]reg.VecVirtual
	for p := range pair {
		pair[p] = b.load512(b.bytes(label("bytesOfPair", p), 16, func(i int) uint8 { return uint8(8*p + 4*(i%2)) }))
		bits[p] = b.ZMM()
		b.VBROADCASTI64X4(b.bytes(label("subsetsOfPair", p), 32, func(i int) uint8 { return uint8(i / 2 >> (2*p + i%2) & 1) }), bits[p])
	}
	words := make([]reg.VecVirtual, 4)
	for i := range words {
		words[i] = b.ZMM()
		b.VPXORD(acc[i], acc[i], acc[i])
	}
	add := func(codes, weights reg.VecVirtual) {
		nibbles(codes)
		b.Comment("The sums of all subsets of each group's weights, in one table of words.")
		b.VSHUFI64X2(operand.U8(0x50), weights, weights, weights) // quarters: 0, 0, 1, 1
		var table [2]reg.VecVirtual
		for p := range table {
			table[p] = b.ZMM()
			b.VPSHUFB(pair[p], weights, table[p])
			b.VPMADDUBSW(table[p], bits[p], table[p])
		}
		b.VPADDW(table[0], table[1], table[1])
		b.Comment("Look up the nibbles, one of each word at a time.")
		odd := b.ZMM()
		b.VPSRLW(operand.U8(4), codes, odd)
		for i, position := range []reg.VecVirtual{codes, odd} {
			b.VPTERNLOGQ(operand.U8(ternaryAndOr), upperTable, low, position)
			for high := range 2 {
				sum := b.ZMM()
				at := position
				if high == 1 {
					at = sum
					b.VPSRLW(operand.U8(8), position, at)
				}
				b.VPERMW(table[1], at, sum)
				b.VPADDW(sum, words[i+2*high], words[i+2*high])
			}
		}
	}
	left := b.GP64()
	b.Label("smallStart")
	b.Comment("Lanes of 16 bits, for as many steps as cannot overflow.")
	for _, r := range words {
		b.VPXORD(r, r, r)
	}
	b.MOVQ(operand.U32(safeWords), left)
	b.CMPQ(in.n, operand.U8(8))
	b.JB(operand.LabelRef("smallRest"))
	b.Label("smallLoop")
	codes, weights := b.ZMM(), b.ZMM()
	b.VMOVDQU64(operand.Mem{Base: in.codes}, codes)
	b.VMOVDQU32(operand.Mem{Base: in.weights}, weights.AsY())
	add(codes, weights)
	b.skip(in, 8)
	b.DECQ(left)
	b.JZ(operand.LabelRef("smallEmpty"))
	b.CMPQ(in.n, operand.U8(8))
	b.JAE(operand.LabelRef("smallLoop"))
	b.Label("smallRest")
	b.TESTQ(in.n, in.n)
	b.JZ(operand.LabelRef("smallEmpty"))
	b.Comment("The last 1 to 7 features. Missing features have weight 0.")
	k := b.maskBelow(in.n)
	codes, weights = b.ZMM(), b.ZMM()
	b.VMOVDQU64_Z(operand.Mem{Base: in.codes}, k, codes)
	b.VMOVDQU32_Z(operand.Mem{Base: in.weights}, k, weights.AsY())
	add(codes, weights)
	b.XORQ(in.n, in.n)
	b.Label("smallEmpty")
	b.Comment("Empty the lanes of 16 bits into those of 32.")
	for i := range acc {
		for half := range 2 {
			part, wide := words[i].AsY(), b.ZMM()
			if half == 1 {
				part = b.YMM()
				b.VEXTRACTI64X4(operand.U8(1), words[i], part)
			}
			b.VPMOVSXWD(part, wide)
			b.VPADDD(wide, acc[i], acc[i])
		}
	}
	b.TESTQ(in.n, in.n)
	b.JNZ(operand.LabelRef("smallStart"))
	b.Comment("Move word 4r+p of each half to double word 4p+r.")
	order := b.halves512(b.words32("byPiece", 16, func(x int) uint32 { return uint32(4*(x%4) + x/4) }))
	for i := range acc {
		b.VPERMD(acc[i], order, acc[i])
	}
}

// With VNNI, weights within ±127 need no table: VPDPBUSD multiplies bytes and adds four
// neighbouring products to a double word. The weights are used as bytes, unchanged. Eight masks
// each select one bit of every byte of the codes, and each has its own accumulator. The accumulator
// of bit b holds the sums multiplied by 2^b.

// smallLimitVNNI is the maximum number of features whose sums fit in 32 bits. A feature adds at
// most 128·127.
const smallLimitVNNI = 1 << 17

// smallVNNI adds eight features at a time. The first two double words of each quarter are bytes q
// and q+1 of the first four codes, and the last two are these bytes of the last four codes.
func smallVNNI(g grouped, acc []reg.VecVirtual, in features) {
	b := g.builder
	b.Comment("Load constants, and clear the sums of each bit of a byte.")
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
		b.Comment("Put the bytes of four codes next to each other, and multiply each of their bits by its weight.")
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
	b.Comment("The last 1 to 7 features. Missing features have weight 0.")
	k := b.maskBelow(in.n)
	codes, weights = b.ZMM(), b.ZMM()
	b.VMOVDQU64_Z(operand.Mem{Base: in.codes}, k, codes)
	b.VMOVDQU32_Z(operand.Mem{Base: in.weights}, k, weights.AsY())
	add(codes, weights)
	b.Label("smallDone")
	b.Comment("Add the two groups of each lane, and divide by the value of its bit.")
	for i, lanes := range acc {
		second := b.ZMM()
		b.VPUNPCKLDQ(sums[2*i+1], sums[2*i], lanes)
		b.VPUNPCKHDQ(sums[2*i+1], sums[2*i], second)
		b.VPADDD(second, lanes, lanes)
		b.VPSRAVD(b.load512(b.words32(label("scaleOfBits", i), 4, func(x int) uint32 { return uint32(2*i + x%2) })), lanes, lanes)
	}
}
