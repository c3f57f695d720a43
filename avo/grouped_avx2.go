package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The AVX2 form looks pairs up. VPERMILPS selects from four sums ±w0 ±w1 by the lowest 2 bits of
// each double word, so the codes of two features are interleaved bit by bit, and shifting by 2i
// brings the next pair of bits to each accumulator. Eight features, two groups of four, are added
// at a time.
//
// In the registers of interleaved codes, double word x of half h holds 16 pairs of bits; after the
// upper half has been shifted down by 16, accumulator i uses pair i there, which belongs to lane
// laneAVX2(i, h, x).

func laneAVX2(i, h, x int) int { return 32*(x/2) + 16*h + 2*i + x%2 }

// pairwise is the form for one type of lanes of 32 bits.
type pairwise struct {
	*builder
	float bool
}

func emitF32AVX2(v vectors) {
	b, p := v.builder, pairwise{v.builder, true}
	b.function("addF32AVX2", "func(lanes *[64]float32, codes []uint64, weights []float32)", "addF32AVX2 adds ±weights[i] to each lane. It works like addF32Generic.")
	lanes := b.param("lanes")
	var acc [8]reg.VecVirtual
	// An accumulator's half is two pairs of lanes that are adjacent in memory.
	pair := func(i, h, x int) operand.Mem { return operand.Mem{Base: lanes, Disp: 4 * laneAVX2(i, h, x)} }
	b.Comment("Bring the lanes into the order of the accumulators.")
	for i := range acc {
		acc[i] = b.YMM()
		upper := b.XMM()
		b.VMOVSD(pair(i, 0, 0), acc[i].AsX())
		b.VMOVHPS(pair(i, 0, 2), acc[i].AsX(), acc[i].AsX())
		b.VMOVSD(pair(i, 1, 0), upper)
		b.VMOVHPS(pair(i, 1, 2), upper, upper)
		b.VINSERTF128(operand.U8(1), upper, acc[i], acc[i])
	}
	p.accumulate(acc)
	b.Comment("Bring the lanes back into their own order.")
	for i := range acc {
		upper := b.XMM()
		b.VEXTRACTF128(operand.U8(1), acc[i], upper)
		b.VMOVLPS(acc[i].AsX(), pair(i, 0, 0))
		b.VMOVHPS(acc[i].AsX(), pair(i, 0, 2))
		b.VMOVLPS(upper, pair(i, 1, 0))
		b.VMOVHPS(upper, pair(i, 1, 2))
	}
	b.leave()

	b.function("sketchF32AVX2", "func(codes []uint64, weights []float32) Signs",
		"sketchF32AVX2 returns the signs of lanes that start from +0. It works like sketchF32Generic.")
	p.sketch()
}

func (p pairwise) zeros() (acc [8]reg.VecVirtual) {
	for i := range acc {
		acc[i] = p.zero256()
	}
	return acc
}

func (p pairwise) sketch() {
	acc := p.zeros()
	p.accumulate(acc)
	p.signs(acc)
}

// plus adds a to b.
func (p pairwise) plus(a, b operand.Op) {
	if p.float {
		p.VADDPS(a, b, b)
	} else {
		p.VPADDD(a, b, b)
	}
}

// negate changes the signs of the elements whose position has a 0 in bit s.
func (p pairwise) negate(s int, w reg.VecVirtual) {
	if p.float {
		p.VXORPS(p.words32(label("signs32_", s), 8, func(e int) uint32 { return uint32(^e>>s&1) << 31 }), w, w)
		return
	}
	p.VPSIGND(p.words32(label("plusMinus", s), 8, func(e int) uint32 { return uint32(e>>s&1*2 - 1) }), w, w)
}

func (p pairwise) accumulate(acc [8]reg.VecVirtual) {
	b := p.builder
	codes, n := b.slice("codes")
	weights := b.base("weights")

	add := func(x, y reg.VecVirtual, weight func(i int) reg.VecVirtual) {
		first, second := interleaveAVX2(b, x, y)
		p.addGroup(acc, first, [4]reg.VecVirtual{weight(0), weight(1), weight(2), weight(3)})
		p.addGroup(acc, second, [4]reg.VecVirtual{weight(4), weight(5), weight(6), weight(7)})
	}

	b.SUBQ(operand.U8(8), n)
	b.JL(operand.LabelRef("tail"))
	b.Label("loop")
	b.Comment("Eight features.")
	x, y := b.YMM(), b.YMM()
	b.VMOVDQU(operand.Mem{Base: codes}, x)
	b.VMOVDQU(operand.Mem{Base: codes, Disp: 32}, y)
	add(x, y, func(i int) reg.VecVirtual {
		w := b.YMM()
		b.VBROADCASTSS(operand.Mem{Base: weights, Disp: 4 * i}, w)
		return w
	})
	b.ADDQ(operand.U8(64), codes)
	b.ADDQ(operand.U8(32), weights)
	b.SUBQ(operand.U8(8), n)
	b.JGE(operand.LabelRef("loop"))
	b.Label("tail")
	b.ADDQ(operand.U8(8), n)
	b.JZ(operand.LabelRef("done"))
	b.Comment("The last 1 to 7 features; what is not there counts as weight 0.")
	x, y = b.loadCodesBelow8(codes, n)
	w, mask := b.YMM(), b.maskBelow8(n, 4, 0)
	b.VMASKMOVPS(operand.Mem{Base: weights}, mask, w)
	add(x, y, func(i int) reg.VecVirtual {
		r := b.YMM()
		b.VPERM2F128(operand.U8(0x11*(i/4)), w, w, r)
		b.VPERMILPS(operand.U8(0x55*(i%4)), r, r)
		return r
	})
	b.Label("done")
}

// addGroup adds a group of four features to all accumulators: (±w0 ±w1) + (±w2 ±w3) for each lane.
func (p pairwise) addGroup(acc [8]reg.VecVirtual, codes reg.VecVirtual, w [4]reg.VecVirtual) {
	b := p.builder
	var bits, table [2]reg.VecVirtual
	for pair := range bits {
		b.Comment(label("Pair ", pair) + ": its bits for each lane, and the 4 sums of its weights.")
		bits[pair], table[pair] = b.pairsOf(codes, pair), w[2*pair+1]
		p.negate(0, w[2*pair])
		p.negate(1, w[2*pair+1])
		p.plus(w[2*pair], table[pair])
	}
	b.Comment("Look both pairs up for each lane, and add them to it.")
	for i := range acc {
		var sum [2]reg.VecVirtual
		for pair := range sum {
			position := bits[pair]
			sum[pair] = b.YMM()
			if i > 0 {
				position = b.YMM()
				b.VPSRLD(operand.U8(2*i), bits[pair], position)
			}
			b.VPERMILPS(position, table[pair], sum[pair])
		}
		p.plus(sum[1], sum[0])
		p.plus(sum[0], acc[i])
	}
}
