package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The narrow forms look up sums of subsets of the weights. Masked additions that read weights from
// memory compute these sums.

// subsetMasks returns the mask registers of 16 bits in which bit t is bit k of t, k = 0..3.
func (b *builder) subsetMasks() (has [4]reg.OpmaskVirtual) {
	for k := range has {
		has[k] = b.maskOf(func(t int) bool { return t>>k&1 == 1 })
	}
	return has
}

// subsets computes the table of the sums of all subsets of four weights at from: entry t includes
// weight k if bit k of t is set.
func (b *builder) subsets(has [4]reg.OpmaskVirtual, from operand.Mem, table reg.VecVirtual) {
	b.VPBROADCASTD_Z(from, has[0], table)
	for k := 1; k < len(has); k++ {
		b.VPADDD_BCST(from.Offset(4*k), table, has[k], table)
	}
}

// subsetsOf does the same for double words from..from+3 of w.
func (b *builder) subsetsOf(has [4]reg.OpmaskVirtual, w reg.VecVirtual, from int, table reg.VecVirtual) {
	for k := range has {
		one := table
		if k > 0 {
			one = b.ZMM()
		}
		b.VPBROADCASTD(b.words32(label("element", from+k), 1, func(int) uint32 { return uint32(from + k) }), one)
		b.VPERMD_Z(w, one, has[k], one)
		if k > 0 {
			b.VPADDD(one, table, table)
		}
	}
}

// byFive is for groups of five features, with lookups in a table of 32 sums in two registers. After
// the transposition, the lower 5 bits of each byte are the bits of a lane. The bytes of a double
// word are every other lane of eight.
var byFive = transposition{
	order: "Alternate",
	lane:  func(i, x int) int { return 8*(x/2) + 2*i + x%2 },
	shift: func(i, _ int) int { return 8 * i },
}

// narrowGFNI adds five features at a time.
func narrowGFNI(g grouped, acc []reg.VecVirtual, in features) {
	b := g.builder
	// A lane's byte is the product of a matrix, the bytes of the codes, and a vector that selects
	// the lane's bit. Row 7-r of the matrix determines bit r.
	b.Comment("Load constants, and clear the lanes of 32 bits.")
	gather := b.halves512(b.bytes("gatherBytes", 64, func(i int) uint8 { return uint8(8*(7-i%8) + i/8) }))
	select1 := b.load512(b.bytes("alternateLanes", 16, func(i int) uint8 { return 1 << (i%4*2 + i/4%2) }))
	has := b.subsetMasks()
	add := func(t reg.VecVirtual, table [2]reg.VecVirtual) {
		b.Comment("Bring the bits of each lane into a byte, look up its sum and add it.")
		b.VPERMB(t, gather, t)
		b.VGF2P8AFFINEQB(operand.U8(0), t, select1, t)
		for i := len(acc) - 1; i >= 0; i-- {
			sum := t
			if i > 0 {
				sum = b.ZMM()
				b.VPSRLD(operand.U8(g.shift(i, 0)), t, sum)
			}
			b.VPERMI2D(table[1], table[0], sum)
			b.VPADDD(sum, acc[i], acc[i])
		}
	}
	for _, a := range acc {
		b.VPXORD(a, a, a)
	}
	b.CMPQ(in.n, operand.U8(8))
	b.JB(operand.LabelRef("narrowRest"))
	b.Label("narrowLoop")
	b.Comment("Five features: the sums of all subsets of their weights.")
	at := operand.Mem{Base: in.weights}
	t, table := b.ZMM(), [2]reg.VecVirtual{b.ZMM(), b.ZMM()}
	b.VMOVDQU64(operand.Mem{Base: in.codes}, t)
	b.subsets(has, at, table[0])
	b.VPADDD_BCST(at.Offset(4*4), table[0], table[1])
	add(t, table)
	b.skip(in, 5)
	b.CMPQ(in.n, operand.U8(8))
	b.JAE(operand.LabelRef("narrowLoop"))
	b.Label("narrowRest")
	b.CMPQ(in.n, operand.U8(5))
	b.JL(operand.LabelRef("narrowFew"))
	b.Comment("Five of the last 5 to 7 features.")
	t, table = b.ZMM(), [2]reg.VecVirtual{b.ZMM(), b.ZMM()}
	b.VMOVDQU64_Z(operand.Mem{Base: in.codes}, b.maskBelow(in.n), t)
	b.subsets(has, at, table[0])
	b.VPADDD_BCST(at.Offset(4*4), table[0], table[1])
	add(t, table)
	b.skip(in, 5)
	b.Label("narrowFew")
	b.TESTQ(in.n, in.n)
	b.JZ(operand.LabelRef("sums"))
	b.Comment("The last 1 to 4 features. Missing features have weight 0.")
	k, w := b.maskBelow(in.n), b.ZMM()
	t, table = b.ZMM(), [2]reg.VecVirtual{b.ZMM(), b.ZMM()}
	b.VMOVDQU64_Z(operand.Mem{Base: in.codes}, k, t)
	b.VMOVDQU32_Z(at, k, w.AsY())
	b.subsetsOf(has, w, 0, table[0])
	b.VMOVDQA64(table[0], table[1])
	add(t, table)
}

// narrowWords adds eight features at a time, two groups of four.
func narrowWords(g grouped, acc []reg.VecVirtual, in features) {
	b := g.builder
	b.Comment("Load constants, and clear the lanes of 32 bits.")
	transpose := g.prime(b)
	has := b.subsetMasks()
	add := func(t reg.VecVirtual, table [2]reg.VecVirtual) {
		b.Comment("Look up each lane's sum of each group, and add it to the lane.")
		for i := range acc {
			for group := range table {
				sum := b.ZMM()
				g.lookUp(t, g.shift(i, group), table[group:group+1], sum)
				b.VPADDD(sum, acc[i], acc[i])
			}
		}
	}
	for _, a := range acc {
		b.VPXORD(a, a, a)
	}
	b.SUBQ(operand.U8(8), in.n)
	b.JL(operand.LabelRef("narrowRest"))
	b.Label("narrowLoop")
	at := operand.Mem{Base: in.weights}
	t, table := b.ZMM(), [2]reg.VecVirtual{b.ZMM(), b.ZMM()}
	b.VMOVDQU64(operand.Mem{Base: in.codes}, t)
	transpose(t)
	b.Comment("The sums of all subsets of each group's weights.")
	b.subsets(has, at, table[0])
	b.subsets(has, at.Offset(4*4), table[1])
	add(t, table)
	b.skip(in, 8)
	b.JGE(operand.LabelRef("narrowLoop"))
	b.Label("narrowRest")
	b.ADDQ(operand.U8(8), in.n)
	b.JZ(operand.LabelRef("sums"))
	b.Comment("The last 1 to 7 features. Missing features have weight 0.")
	k, w := b.maskBelow(in.n), b.ZMM()
	t, table = b.ZMM(), [2]reg.VecVirtual{b.ZMM(), b.ZMM()}
	b.VMOVDQU64_Z(operand.Mem{Base: in.codes}, k, t)
	b.VMOVDQU32_Z(at, k, w.AsY())
	transpose(t)
	b.subsetsOf(has, w, 0, table[0])
	b.subsetsOf(has, w, 4, table[1])
	add(t, table)
}
