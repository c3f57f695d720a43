package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The AVX2 form looks up pairs of features. VPERMILPS selects from four sums ±w0 ±w1 by the lowest
// 2 bits of each double word. So the codes of two features are interleaved bit by bit, and a shift
// by 2i yields the pairs of bits for accumulator i. Eight features, two groups of four, are added
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
	p := pairwise{v.builder, true}
	v.weighted("F32", "float32", "float32", p.addToLanes, p.sketch)
}

// addToLanes adds to the lanes in memory.
func (p pairwise) addToLanes() {
	b := p.builder
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
	b.Comment("Bring the lanes back into their natural order.")
	for i := range acc {
		upper := b.XMM()
		b.VEXTRACTF128(operand.U8(1), acc[i], upper)
		b.VMOVLPS(acc[i].AsX(), pair(i, 0, 0))
		b.VMOVHPS(acc[i].AsX(), pair(i, 0, 2))
		b.VMOVLPS(upper, pair(i, 1, 0))
		b.VMOVHPS(upper, pair(i, 1, 2))
	}
	b.leave()
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
	b.Comment("The last 1 to 7 features. Missing features have weight 0.")
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
	b.Comment("Look up both pairs for each lane, and add their sums to it.")
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

// signs compares the accumulators with 0 and stores the results. Results that are rarely other than
// 0 are computed only if a quick test of all lanes finds one.
func (p pairwise) signs(acc [8]reg.VecVirtual) {
	b := p.builder
	b.Comment("The signs of the lanes.")
	zero := b.zero256()
	result := func(name string, compare func(acc, mask reg.VecVirtual)) {
		b.storeSign(name, packMasksAVX2(b, acc, compare))
	}
	result("Positive", func(acc, mask reg.VecVirtual) {
		if p.float {
			b.VCMPPS(operand.U8(compareGreater), zero, acc, mask)
		} else {
			b.VPCMPGTD(zero, acc, mask)
		}
	})
	if !p.float {
		b.storeAllFinite()
	}
	rare := b.YMM()
	if p.float {
		b.Comment("Is any lane 0 or not finite? Then its bits without the sign, minus 1, are a large unsigned number.")
		minusOne, largest := b.YMM(), b.zero256()
		b.VPCMPEQD(minusOne, minusOne, minusOne)
		for i := range acc {
			v := b.YMM()
			b.VPADDD(acc[i], acc[i], v)
			b.VPADDD(minusOne, v, v)
			b.VPMAXUD(v, largest, largest)
		}
		b.VPMAXUD(b.words32("rareFrom", 8, func(int) uint32 { return 0xFF000000 - 1 }), largest, rare)
		b.VPCMPEQD(rare, largest, rare)
	} else {
		b.Comment("Is any lane 0?")
		smallest := b.YMM()
		b.VPCMPEQD(smallest, smallest, smallest)
		for i := range acc {
			b.VPMINUD(acc[i], smallest, smallest)
		}
		b.VPCMPEQD(zero, smallest, rare)
	}
	b.VPTEST(rare, rare)
	b.JNZ(operand.LabelRef("rare"))
	none := b.GP64()
	b.XORL(none.As32(), none.As32())
	b.storeSign("Zero", none)
	if p.float {
		b.storeSign("NonFinite", none)
	}
	b.leave()
	b.Label("rare")
	result("Zero", func(acc, mask reg.VecVirtual) {
		if p.float {
			b.VCMPPS(operand.U8(compareEqual), zero, acc, mask)
		} else {
			b.VPCMPEQD(zero, acc, mask)
		}
	})
	if p.float {
		result("NonFinite", func(acc, mask reg.VecVirtual) {
			b.VSUBPS(acc, acc, mask) // 0, or not a number
			b.VCMPPS(operand.U8(compareUnordered), mask, mask, mask)
		})
	}
	b.leave()
}

// packMasksAVX2 returns one bit per lane of the comparison's masks, in the order of the lanes.
func packMasksAVX2(b *builder, acc [8]reg.VecVirtual, compare func(acc, mask reg.VecVirtual)) reg.GPVirtual {
	// After four accumulators have been packed, byte 4i+x of half h is lane(i, h, x). Then the
	// bytes with x < 2 are moved before those with x >= 2.
	b.Comment("One bit for each lane, four accumulators at a time.")
	order := b.YMM()
	b.VMOVDQU(b.bytes("byPairOfX", 32, func(i int) uint8 { return uint8(4*(i%8/2) + 2*(i%16/8) + i%2) }), order)
	var packed [2]reg.VecVirtual
	for half := range packed {
		var m [4]reg.VecVirtual
		for i := range m {
			m[i] = b.YMM()
			compare(acc[4*half+i], m[i])
		}
		b.VPACKSSDW(m[1], m[0], m[0])
		b.VPACKSSDW(m[3], m[2], m[2])
		b.VPACKSSWB(m[2], m[0], m[0])
		b.VPSHUFB(order, m[0], m[0])
		packed[half] = m[0]
	}
	low, high := b.YMM(), b.YMM()
	b.VPUNPCKLQDQ(packed[1], packed[0], low)
	b.VPUNPCKHQDQ(packed[1], packed[0], high)
	bits, upper := b.GP64(), b.GP64()
	b.VPMOVMSKB(low, bits.As32())
	b.VPMOVMSKB(high, upper.As32())
	b.SHLQ(operand.U8(32), upper)
	b.ORQ(upper, bits)
	return bits
}

// maskBelow8 returns part i of a mask that selects the first n of eight elements of elementBytes
// bytes. It loads the mask from a table of ones followed by zeros, n elements before the end of the
// ones.
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
	b.VPERMQ(operand.U8(0x44+0xAA*p), codes, bits) // the half with the pair, twice
	b.VPSRLVD(b.words64("upperHalfDown", 4, func(i int) uint64 { return uint64(i/2) * 0x0000001000000010 }), bits, bits)
	return bits
}
