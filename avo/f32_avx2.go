package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The AVX2 form looks pairs up. VPERMILPS selects from four sums ±w0 ±w1 by the lowest 2 bits of each double word, so the codes of two features are interleaved
// bit by bit, and shifting by 2i brings the next pair of bits to each accumulator. Eight features, two groups of four, are added at a time.
//
// In the registers of interleaved codes, double word x of half h holds 16 pairs of bits; after the upper half has been shifted down by 16, accumulator i uses
// pair i there, which belongs to lane laneAVX2(i, h, x).

func laneAVX2(i, h, x int) int { return 32*(x/2) + 16*h + 2*i + x%2 }

func emitF32AVX2(b *builder) {
	b.function("addF32AVX2", "func(lanes *[64]float32, codes []uint64, weights []float32)", "addF32AVX2 adds ±weights[i] to each lane. It works like addF32Generic.")
	lanes := b.Load(b.Param("lanes"), b.GP64()).(reg.GPVirtual)
	var acc [8]reg.VecVirtual
	// An accumulator's half is two pairs of lanes that lie next to each other in memory.
	pair := func(i, h, x int) operand.Mem { return operand.Mem{Base: lanes, Disp: 4 * laneAVX2(i, h, x)} }
	for i := range acc {
		acc[i] = b.YMM()
		upper := b.XMM()
		b.VMOVSD(pair(i, 0, 0), acc[i].AsX())
		b.VMOVHPS(pair(i, 0, 2), acc[i].AsX(), acc[i].AsX())
		b.VMOVSD(pair(i, 1, 0), upper)
		b.VMOVHPS(pair(i, 1, 2), upper, upper)
		b.VINSERTF128(operand.U8(1), upper, acc[i], acc[i])
	}
	accumulateF32AVX2(b, acc)
	for i := range acc {
		upper := b.XMM()
		b.VEXTRACTF128(operand.U8(1), acc[i], upper)
		b.VMOVLPS(acc[i].AsX(), pair(i, 0, 0))
		b.VMOVHPS(acc[i].AsX(), pair(i, 0, 2))
		b.VMOVLPS(upper, pair(i, 1, 0))
		b.VMOVHPS(upper, pair(i, 1, 2))
	}
	b.VZEROUPPER()
	b.RET()

	b.function("sketchF32AVX2", "func(codes []uint64, weights []float32) (positive, zero, nonFinite uint64)",
		"sketchF32AVX2 returns the signs of lanes that start from +0. It works like sketchF32Generic.")
	for i := range acc {
		acc[i] = b.zero256()
	}
	accumulateF32AVX2(b, acc)
	signsF32AVX2(b, acc)
	b.VZEROUPPER()
	b.RET()
}

func accumulateF32AVX2(b *builder, acc [8]reg.VecVirtual) {
	codes := b.Load(b.Param("codes").Base(), b.GP64()).(reg.GPVirtual)
	n := b.Load(b.Param("codes").Len(), b.GP64()).(reg.GPVirtual)
	weights := b.Load(b.Param("weights").Base(), b.GP64()).(reg.GPVirtual)

	add := func(x, y reg.VecVirtual, weight func(i int) reg.VecVirtual) {
		first, second := interleaveAVX2(b, x, y)
		addGroupAVX2(b, acc, first, [4]reg.VecVirtual{weight(0), weight(1), weight(2), weight(3)})
		addGroupAVX2(b, acc, second, [4]reg.VecVirtual{weight(4), weight(5), weight(6), weight(7)})
	}

	b.SUBQ(operand.U8(8), n)
	b.JL(operand.LabelRef("tail"))
	b.Label("loop")
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
	// The mask for n elements is read n elements before the place where the ones end.
	ones := b.words64("maskEnd", 16, func(i int) uint64 {
		if i < 8 {
			return 1<<64 - 1
		}
		return 0
	})
	end := b.GP64()
	b.LEAQ(ones.Offset(64), end)
	b.NEGQ(n)
	x, y = b.YMM(), b.YMM()
	mask := b.YMM()
	b.VMOVDQU(operand.Mem{Base: end, Index: n, Scale: 8}, mask)
	b.VPMASKMOVQ(operand.Mem{Base: codes}, mask, x)
	mask = b.YMM()
	b.VMOVDQU(operand.Mem{Base: end, Index: n, Scale: 8, Disp: 32}, mask)
	b.VPMASKMOVQ(operand.Mem{Base: codes, Disp: 32}, mask, y)
	ones32 := b.words32("maskEnd32", 16, func(i int) uint32 {
		if i < 8 {
			return 1<<32 - 1
		}
		return 0
	})
	b.LEAQ(ones32.Offset(32), end)
	mask = b.YMM()
	w := b.YMM()
	b.VMOVDQU(operand.Mem{Base: end, Index: n, Scale: 4}, mask)
	b.VMASKMOVPS(operand.Mem{Base: weights}, mask, w)
	add(x, y, func(i int) reg.VecVirtual {
		r := b.YMM()
		b.VPERM2F128(operand.U8(0x11*(i/4)), w, w, r)
		b.VPERMILPS(operand.U8(0x55*(i%4)), r, r)
		return r
	})
	b.Label("done")
}

// interleaveAVX2 turns the codes of two groups (x and y) into two registers, one a group: the lower half holds the interleaved bits of the group's first two codes, the
// upper half those of its last two; of each, the double words are even bits 0..31, odd bits 0..31, even bits 32..63, odd bits 32..63.
func interleaveAVX2(b *builder, x, y reg.VecVirtual) (first, second reg.VecVirtual) {
	even := b.words64("evenBits", 4, func(int) uint64 { return 0x5555555555555555 })
	p, q, t := b.YMM(), b.YMM(), b.YMM()
	b.VPUNPCKLQDQ(y, x, p) // codes 0, 4, 2, 6
	b.VPUNPCKHQDQ(y, x, q) // codes 1, 5, 3, 7
	b.Comment("Swap the odd bits of each code with the even bits of the next.")
	b.VPSRLQ(operand.U8(1), p, t)
	b.VPXOR(q, t, t)
	b.VPAND(even, t, t)
	b.VPXOR(t, q, q)
	b.VPADDQ(t, t, t)
	b.VPXOR(t, p, p)
	first, second = b.YMM(), b.YMM()
	b.VPUNPCKLDQ(q, p, first)
	b.VPUNPCKHDQ(q, p, second)
	return first, second
}

// addGroupAVX2 adds a group of four features to all accumulators: (±w0 ±w1) + (±w2 ±w3) for each lane.
func addGroupAVX2(b *builder, acc [8]reg.VecVirtual, codes reg.VecVirtual, w [4]reg.VecVirtual) {
	down := b.words64("upperHalfDown", 4, func(i int) uint64 { return uint64(i/2) * 0x0000001000000010 })
	evenSign := b.words32("evenSigns", 8, func(i int) uint32 { return uint32(^i&1) << 31 })
	oddSign := b.words32("oddSigns", 8, func(i int) uint32 { return uint32(^i>>1&1) << 31 })
	var bits, table [2]reg.VecVirtual
	for p := range bits {
		bits[p], table[p] = b.YMM(), b.YMM()
		b.VPERMQ(operand.U8(0x44+0xAA*p), codes, bits[p]) // the pair's half twice
		b.VPSRLVD(down, bits[p], bits[p])
		b.VXORPS(evenSign, w[2*p], w[2*p])
		b.VXORPS(oddSign, w[2*p+1], w[2*p+1])
		b.VADDPS(w[2*p], w[2*p+1], table[p])
	}
	for i := range acc {
		var sum [2]reg.VecVirtual
		for p := range sum {
			position := bits[p]
			sum[p] = b.YMM()
			if i > 0 {
				position = b.YMM()
				b.VPSRLD(operand.U8(2*i), bits[p], position)
			}
			b.VPERMILPS(position, table[p], sum[p])
		}
		b.VADDPS(sum[0], sum[1], sum[0])
		b.VADDPS(sum[0], acc[i], acc[i])
	}
}

// signsF32AVX2 compares the accumulators with 0 and stores the three results; those that are rarely other than 0 are made only where a glance at all lanes finds one.
func signsF32AVX2(b *builder, acc [8]reg.VecVirtual) {
	zero := b.zero256()
	result := func(name string, compare func(acc, mask reg.VecVirtual)) {
		b.Store(packMasksAVX2(b, acc, compare), b.Return(name))
	}
	result("positive", func(acc, mask reg.VecVirtual) { b.VCMPPS(operand.U8(compareGreater), zero, acc, mask) })

	b.Comment("Without its sign and less 1, a lane that is 0 or not finite is the largest of numbers.")
	minusOne, largest := b.YMM(), b.zero256()
	b.VPCMPEQD(minusOne, minusOne, minusOne)
	for i := range acc {
		v := b.YMM()
		b.VPADDD(acc[i], acc[i], v)
		b.VPADDD(minusOne, v, v)
		b.VPMAXUD(v, largest, largest)
	}
	limit := b.words32("rareFrom", 8, func(int) uint32 { return 0xFF000000 - 1 })
	rare := b.YMM()
	b.VPMAXUD(limit, largest, rare)
	b.VPCMPEQD(rare, largest, rare)
	b.VPTEST(rare, rare)
	b.JNZ(operand.LabelRef("rare"))
	none := b.GP64()
	b.XORL(none.As32(), none.As32())
	b.Store(none, b.Return("zero"))
	b.Store(none, b.Return("nonFinite"))
	b.VZEROUPPER()
	b.RET()
	b.Label("rare")
	result("zero", func(acc, mask reg.VecVirtual) { b.VCMPPS(operand.U8(compareEqual), zero, acc, mask) })
	result("nonFinite", func(acc, mask reg.VecVirtual) {
		b.VSUBPS(acc, acc, mask) // 0, or not a number
		b.VCMPPS(operand.U8(compareUnordered), mask, mask, mask)
	})
}

// packMasksAVX2 returns one bit a lane, in the order of the lanes, of the comparison's masks.
func packMasksAVX2(b *builder, acc [8]reg.VecVirtual, compare func(acc, mask reg.VecVirtual)) reg.GPVirtual {
	// Packed four accumulators at a time, byte 4i+x of half h is lane(i, h, x); the bytes of x < 2 are then brought before those of x >= 2.
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
