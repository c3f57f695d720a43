package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Weights within ±127 are summed in lanes of 16 bits, twice as many to a register, and only those that count positive: S[j] is the sum of the weights whose bit j is 1, and
// V[j] = 2·S[j] - total. Every so often the lanes are emptied into lanes of 32 bits, before they can overflow.
//
// A table has the sums of all subsets of a few weights. They are made by multiplying the weights, as bytes, by constant bytes of 0 and 1, and adding neighbours: VPMADDUBSW.

// small is one form of it. Its grouped form says where lanes of 32 bits are in the end, and what to do with them.
type small struct {
	grouped
	step, safe int // features added at a time; steps before the lanes may overflow
	words      int // registers of 16-bit lanes
	prime      func(s small) func(words []reg.VecVirtual, f eight)
	empty      func(s small, words, acc []reg.VecVirtual)
}

func (b *builder) emitSmall(t transposition, s small) {
	s.grouped = grouped{builder: b, transposition: t, element: int32s}
	const within = "The weights are within ±127, total is their sum, and there are fewer than 1<<24."
	name := "addI32Small" + t.isa
	b.function(name, "func(lanes *[64]int64, codes []uint64, weights []int32, total int32)", name+" adds ±weights[i] to each lane. "+within)
	acc := s.accumulate()
	s.addTo64(acc)
	name = "sketchI32Small" + t.isa
	b.function(name, "func(codes []uint64, weights []int32, total int32) (positive, zero uint64)",
		name+" returns the signs of lanes that start from 0. "+within)
	s.signs(s.accumulate())
}

// accumulate returns the lanes V.
func (s small) accumulate() []reg.VecVirtual {
	b := s.builder
	codes := b.Load(b.Param("codes").Base(), b.GP64()).(reg.GPVirtual)
	n := b.Load(b.Param("codes").Len(), b.GP64()).(reg.GPVirtual)
	weights := b.Load(b.Param("weights").Base(), b.GP64()).(reg.GPVirtual)
	add := s.prime(s)
	acc := s.zeros()
	words := make([]reg.VecVirtual, s.words)
	for i := range words {
		words[i] = b.ZMM()
	}
	left := b.GP64()
	b.Label("start")
	for _, r := range words {
		b.VPXORD(r, r, r)
	}
	b.MOVQ(operand.U32(s.safe), left)
	b.CMPQ(n, operand.U8(8))
	b.JB(operand.LabelRef("rest"))
	b.Label("loop")
	c, w := b.ZMM(), b.ZMM()
	b.VMOVDQU64(operand.Mem{Base: codes}, c)
	b.VMOVDQU32(operand.Mem{Base: weights}, w.AsY())
	add(words, eight{c, w, &operand.Mem{Base: weights}})
	b.ADDQ(operand.U8(8*s.step), codes)
	b.ADDQ(operand.U8(4*s.step), weights)
	b.SUBQ(operand.U8(s.step), n)
	b.DECQ(left)
	b.JZ(operand.LabelRef("empty"))
	b.CMPQ(n, operand.U8(8))
	b.JAE(operand.LabelRef("loop"))
	b.Label("rest")
	b.TESTQ(n, n)
	b.JZ(operand.LabelRef("empty"))
	b.Comment("The last 1 to 7 features; what is not there counts as weight 0.")
	k := b.maskBelow(n)
	c, w = b.ZMM(), b.ZMM()
	b.VMOVDQU64_Z(operand.Mem{Base: codes}, k, c)
	b.VMOVDQU32_Z(operand.Mem{Base: weights}, k, w.AsY())
	add(words, eight{c, w, nil})
	b.ADDQ(operand.U8(8*s.step), codes)
	b.ADDQ(operand.U8(4*s.step), weights)
	done := b.GP64()
	b.XORL(done.As32(), done.As32())
	b.SUBQ(operand.U8(s.step), n)
	b.CMOVQLT(done, n)
	b.Label("empty")
	s.empty(s, words, acc)
	b.TESTQ(n, n)
	b.JNZ(operand.LabelRef("start"))
	total := b.ZMM()
	b.VPBROADCASTD(b.Load(b.Param("total"), b.GP32()), total)
	for i := range acc {
		b.VPADDD(acc[i], acc[i], acc[i])
		b.VPSUBD(total, acc[i], acc[i])
	}
	return acc
}

// With GFNI, five features at a time: VPERMB looks up bytes, and to look up a word takes the two positions 2s and 2s+1 of its bytes, s being the bits of the lane. The
// transposition, of the codes times the selection of a lane, brings s to bits 1 to 5 of both bytes of a word; bit 0 is set in the upper byte.
var smallGFNI = small{step: 5, safe: 51, words: 2, prime: primeSmallGFNI, empty: emptySmallGFNI}

// Each quarter-word of the first register has the lower four of eight lanes, of the second the upper four.
var byHalfBytes = transposition{isa: "AVX512GFNI", order: "HalfBytes", lane: func(i, x int) int { return 32*(i%2) + 8*(x/4) + 4*(i/2) + x%4 }}

func primeSmallGFNI(s small) func(words []reg.VecVirtual, f eight) {
	b := s.builder
	// Row 7-r of a matrix makes bit r: rows 6 to 2 are bytes of codes 0 to 4. Row 7 is left 0.
	gather := b.load512(b.bytes("gatherFive", 64, func(i int) uint8 {
		if row := i % 8; row >= 2 && row < 7 {
			return uint8(8*(6-row) + i/8)
		}
		return 0
	}))
	rows := b.K()
	b.KMOVQ(b.immediate(0x7F7F7F7F7F7F7F7F), rows)
	upperByte := b.load512(b.words16("upperByte", 32, func(int) uint16 { return 0x0100 }))
	var selected [2]reg.VecVirtual
	for i := range selected {
		selected[i] = b.load512(b.bytes(label("fourLanes", i), 64, func(at int) uint8 { return 1 << (4*i + at%8/2) }))
	}
	// VPACKSSDW puts double words 4q..4q+3 of its operands side by side: the sums without and with the third weight. So bit 2 of a position speaks of the third weight, bits
	// 0, 1, 3 and 4 of the others.
	four := b.load512(b.bytes("fourWeights", 64, func(i int) uint8 { return []uint8{0, 4, 12, 16}[i%4] }))
	bits := b.load512(b.bytes("subsetsOfFour", 64, func(i int) uint8 { return uint8(i / 4 >> (i % 4) & 1) }))
	third := b.load512(b.words32("thirdWeight", 16, func(int) uint32 { return 2 }))
	return func(words []reg.VecVirtual, f eight) {
		table, with := b.zero512(), b.ZMM()
		bytes := b.ZMM()
		b.VPERMB(f.weights, four, bytes)
		b.VPDPBUSD(bytes, bits, table)
		if f.memory != nil {
			b.VPADDD_BCST(f.memory.Offset(4*2), table, with)
		} else {
			b.VPERMD(f.weights, third, with)
			b.VPADDD(table, with, with)
		}
		b.VPACKSSDW(with, table, table)
		b.VPERMB_Z(f.positions, gather, rows, f.positions)
		for i, r := range words {
			position := b.ZMM()
			b.VGF2P8AFFINEQB(operand.U8(0), f.positions, selected[i], position)
			b.VPORQ(upperByte, position, position)
			b.VPERMB(table, position, position)
			b.VPADDW(position, r, r)
		}
	}
}

func emptySmallGFNI(s small, words, acc []reg.VecVirtual) {
	for i := range acc {
		s.addWidened(words[i/2], i%2, acc[i])
	}
}

// addWidened adds half of the 16-bit lanes of r to acc.
func (s small) addWidened(r reg.VecVirtual, half int, acc reg.VecVirtual) {
	part, wide := r.AsY(), s.ZMM()
	if half == 1 {
		part = s.YMM()
		s.VEXTRACTI64X4(operand.U8(1), r, part)
	}
	s.VPMOVSXWD(part, wide)
	s.VPADDD(wide, acc, acc)
}

// Without it, eight features at a time: the words of the interleaved codes have four nibbles each, positions in the table of the first four weights in the lower half of
// the register and of the last four in the upper half. One table holds both.
var smallWords = small{step: 8, safe: 64, words: 4, prime: primeSmallWords, empty: emptySmallWords}

func primeSmallWords(s small) func(words []reg.VecVirtual, f eight) {
	b := s.builder
	nibbles := interleaveAVX512(b)
	low := b.load512(b.words16("lowNibbles", 32, func(int) uint16 { return 0x0F0F }))
	upperTable := b.load512(b.words16("upperTable", 32, func(i int) uint16 { return uint16(i/16) * 0x1010 }))
	var pair, bits [2]reg.VecVirtual
	for p := range pair {
		pair[p] = b.load512(b.bytes(label("bytesOfPair", p), 64, func(i int) uint8 { return uint8(8*p + 4*(i%2)) }))
		bits[p] = b.load512(b.bytes(label("subsetsOfPair", p), 64, func(i int) uint8 { return uint8(i / 2 >> (2*p + i%2) & 1) }))
	}
	return func(words []reg.VecVirtual, f eight) {
		codes, weights := f.positions, f.weights
		nibbles(codes)
		b.VSHUFI64X2(operand.U8(0x50), weights, weights, weights) // quarters 0, 0, 1, 1
		var table [2]reg.VecVirtual
		for p := range table {
			table[p] = b.ZMM()
			b.VPSHUFB(pair[p], weights, table[p])
			b.VPMADDUBSW(table[p], bits[p], table[p])
		}
		b.VPADDW(table[0], table[1], table[1])
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
}

func emptySmallWords(s small, words, acc []reg.VecVirtual) {
	b := s.builder
	// Word 4r+p of either half belongs to double word 4p+r.
	order := b.load512(b.words32("byPiece", 16, func(x int) uint32 { return uint32(4*(x%4) + x/4) }))
	for i := range acc {
		sum := b.zero512()
		for half := range 2 {
			s.addWidened(words[i], half, sum)
		}
		b.VPERMD(sum, order, sum)
		b.VPADDD(sum, acc[i], acc[i])
	}
}
