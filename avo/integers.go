package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The AVX-512 forms for i32 weights first inspect all weights. If all are within ±127, they use the
// small form, otherwise the narrow form with 32-bit lanes. Both forms compute, for each lane, the
// sum S of the weights that count as positive. The value of the lane is V = 2·S - total. If a sum
// may need more than 32 bits, the caller must use another function, which has 64-bit lanes.

// integers has the small and the narrow form of a tier. Both keep the lanes in the order of the
// tier's grouped form.
type integers struct {
	grouped
	smallLimit    uint32 // maximum number of features of the small form
	small, narrow func(g grouped, acc []reg.VecVirtual, in features)
}

// sums has the sums S of the lanes, and a register with the total of the weights in every element.
type sums struct {
	lanes []reg.VecVirtual
	total reg.VecVirtual
}

// features has the addresses of the remaining codes and weights, and their number n.
type features struct{ codes, weights, n reg.GPVirtual }

func (b *builder) features() features {
	return features{
		codes:   b.base("codes"),
		weights: b.base("weights"),
		n:       b.length("codes"),
	}
}

// storeFits stores the result fits, which is 1 if 32 bits are enough.
func (b *builder) storeFits(fits uint32) {
	r := b.GP32()
	b.MOVL(operand.U32(fits), r)
	b.Store(r.As8(), b.Return("fits"))
}

// skip advances past count features. The flags are those of the remaining n.
func (b *builder) skip(in features, count int) {
	b.ADDQ(operand.U8(8*count), in.codes)
	b.ADDQ(operand.U8(4*count), in.weights)
	b.SUBQ(operand.U8(count), in.n)
}

func (g integers) emit() {
	const fits = "If a sum may need more than 32 bits, it only returns with fits false. There are fewer than 1<<24 weights."
	b := g.builder
	name := "addI32Narrow" + g.isa
	b.function(name, "func(lanes *[64]int64, codes []uint64, weights []int32) (fits bool)", name+" adds ±weights[i] to each lane. "+fits)
	s := g.sums()
	b.Comment("Twice the sums of the weights that count as positive, minus the total.")
	for _, l := range s.lanes {
		b.VPADDD(l, l, l)
		b.VPSUBD(s.total, l, l)
	}
	g.addTo64(s.lanes)
	name = "sketchI32Narrow" + g.isa
	b.function(name, "func(codes []uint64, weights []int32) (signs Signs, fits bool)",
		name+" returns the signs of lanes that start from 0. "+fits)
	g.signsOfSums(g.sums())
}

// sums returns the sums. In the kernel, it returns early if a sum may need more than 32 bits.
func (g integers) sums() sums {
	b, v := g.builder, g.vectors
	any, total := v.look()
	in, lanes := b.features(), make([]reg.VecVirtual, g.accumulators())
	for i := range lanes {
		lanes[i] = b.ZMM()
	}
	v.beyond127(any)
	b.JNE(operand.LabelRef("narrow"))
	b.CMPQ(in.n, operand.U32(g.smallLimit))
	b.JA(operand.LabelRef("narrow"))
	g.small(g.grouped, lanes, in)
	b.JMP(operand.LabelRef("sums"))
	b.Label("narrow")
	v.beyondNarrow(any)
	b.JEQ(operand.LabelRef("fits"))
	b.storeFits(0)
	b.leave()
	b.Label("fits")
	g.narrow(g.grouped, lanes, in)
	b.Label("sums")
	b.storeFits(1)
	v.sumEverywhere(total)
	return sums{lanes, total}
}

// signsOfSums stores the signs of V. V is positive if S exceeds half the total, rounded down. V is
// 0 if both are equal and the total is even.
func (g integers) signsOfSums(s sums) {
	b := g.builder
	b.Comment("Compare the sums of the weights that count as positive with half the total.")
	half := b.ZMM()
	b.VPSRAD(operand.U8(1), s.total, half)
	for _, l := range s.lanes {
		b.VPSUBD(half, l, l)
	}
	b.Comment("Saturation preserves signs and zeros.")
	b.VPACKSSDW(s.lanes[1], s.lanes[0], s.lanes[0])
	b.VPACKSSDW(s.lanes[3], s.lanes[2], s.lanes[2])
	all := s.lanes[0]
	b.VPACKSSWB(s.lanes[2], all, all)
	// Each quarter has 16 consecutive lanes. Byte 4i+x of the first quarter is lane laneOf(i, x).
	order := func(at int) uint8 {
		for i := range s.lanes {
			for x := range 4 {
				if g.laneOf(i, x) == at {
					return uint8(4*i + x)
				}
			}
		}
		panic("the first quarter does not have lanes 0 to 15")
	}
	natural := true
	for at := range 16 {
		natural = natural && order(at) == uint8(at)
	}
	if !natural {
		b.VPSHUFB(b.load512(b.bytes("natural"+g.order, 16, order)), all, all)
	}
	b.Comment("Signs. Ties are rare, and impossible if the total is odd.")
	none, positive, zero := b.zero512(), b.K(), b.K()
	b.VPCMPGTB(none, all, positive)
	b.VPTESTNMB(all, all, zero)
	bits := b.GP64()
	b.KMOVQ(positive, bits)
	b.storeSign("Positive", bits)
	b.storeAllFinite()
	b.XORL(bits.As32(), bits.As32())
	b.KORTESTQ(zero, zero)
	b.JNZ(operand.LabelRef("rare"))
	b.storeSign("Zero", bits)
	b.leave()
	b.Label("rare")
	even := b.GP64()
	b.VMOVD(s.total.AsX(), even.As32())
	b.ANDL(operand.U8(1), even.As32())
	b.SUBQ(operand.U8(1), even)
	b.KMOVQ(zero, bits)
	b.ANDQ(even, bits)
	b.storeSign("Zero", bits)
	b.leave()
}

// look emits a loop over the i32 weights. It returns the OR of their absolute values, of which a
// single test shows whether any weight is too large, and partial sums of the weights.
func (v vectors) look() (any, total reg.VecVirtual) {
	b := v.builder
	b.Comment("The OR of the absolute values of all weights, and their sum.")
	weights, n := b.slice("weights")
	any, total = v.zero(), v.zero()
	take := func(w reg.VecVirtual) {
		b.VPADDD(w, total, total)
		b.VPABSD(w, w)
		v.or(w, any, any)
	}
	elements := v.bytes / 4
	b.SUBQ(operand.U8(elements), n)
	b.JL(operand.LabelRef("last"))
	b.Label("look")
	take(v.load(operand.Mem{Base: weights}))
	b.ADDQ(operand.U8(v.bytes), weights)
	b.SUBQ(operand.U8(elements), n)
	b.JGE(operand.LabelRef("look"))
	b.Label("last")
	b.ADDQ(operand.U8(elements), n)
	b.JZ(operand.LabelRef("seen"))
	w := v.register()
	if v.bytes == 64 {
		b.VMOVDQU32_Z(operand.Mem{Base: weights}, b.maskBelow(n), w)
	} else {
		b.VPMASKMOVD(operand.Mem{Base: weights}, b.maskBelow8(n, 4, 0), w)
	}
	take(w)
	b.Label("seen")
	return any, total
}

// beyond127 sets the zero flag if all weights are within ±127. any is the OR of their absolute
// values.
func (v vectors) beyond127(any reg.VecVirtual) {
	v.Comment("Is any weight beyond ±127?")
	mask := v.register()
	v.VPBROADCASTD(v.words32("beyond127", 1, func(int) uint32 { return ^uint32(127) }), mask)
	v.testAny(any, mask)
}

// beyondNarrow sets the zero flag if the sum of all absolute values is certainly below 1<<31. any
// is the OR of these values. There are at least one and fewer than 1<<24 weights.
func (v vectors) beyondNarrow(any reg.VecVirtual) {
	v.Comment("May a sum need more than 32 bits?")
	n, shift, x := v.Load(v.Param("weights").Len(), v.GP64()), v.GP64(), v.XMM()
	v.BSRQ(n, n)
	v.MOVQ(operand.U32(30), shift)
	v.SUBQ(n, shift)
	v.VMOVQ(shift, x)
	high := v.register()
	v.VPSRLD(x, any, high)
	v.testAny(high, high)
}

func (v vectors) testAny(any, mask reg.VecVirtual) {
	if v.bytes == 64 {
		k := v.K()
		v.VPTESTMD(mask, any, k)
		v.KORTESTW(k, k)
	} else {
		v.VPTEST(mask, any)
	}
}

// sumEverywhere replaces each double word by the sum of all double words, modulo 1<<32.
func (v vectors) sumEverywhere(r reg.VecVirtual) {
	v.Comment("The total of the weights, in every element.")
	turned := v.register()
	turn := func(order int, by func(...operand.Op)) {
		by(operand.U8(order), r, turned)
		v.VPADDD(turned, r, r)
	}
	if v.bytes == 64 {
		turn(0x4E, func(o ...operand.Op) { v.VSHUFI64X2(o[0], o[1], o[1], o[2]) })
		turn(0xB1, func(o ...operand.Op) { v.VSHUFI64X2(o[0], o[1], o[1], o[2]) })
	} else {
		turn(0x01, func(o ...operand.Op) { v.VPERM2I128(o[0], o[1], o[1], o[2]) })
	}
	turn(0x4E, v.VPSHUFD)
	turn(0xB1, v.VPSHUFD)
}

// The AVX2 form for i32 weights also inspects all weights first. Then it uses lanes of 16, 32 or 64
// bits.

func emitI32AVX2(v vectors) {
	const fits = "If a sum may need more than 32 bits, it only returns with fits false. There are fewer than 1<<24 weights. sums is scratch memory, and must be zero."
	b := v.builder
	b.function("addI32NarrowAVX2", "func(lanes *[64]int64, sums *[64]int32, codes []uint64, weights []int32) (fits bool)", "addI32NarrowAVX2 adds ±weights[i] to each lane. "+fits)
	v.narrow(nil, func(small smallAVX2, sums reg.GPVirtual, total reg.VecVirtual) {
		small.addTo64(sums, b.param("lanes"), total)
	}, pairwise.addTo64)
	b.function("sketchI32NarrowAVX2", "func(sums *[64]int32, codes []uint64, weights []int32) (signs Signs, fits bool)",
		"sketchI32NarrowAVX2 returns the signs of lanes that start from 0. "+fits)
	v.narrow(smallAVX2.signsOfWords, smallAVX2.signs, pairwise.signs)
	v.inHalves("I32Wide", "int64", "int32", 4)
}

// narrow emits the body of a function. small emits the code that uses the sums of the small form,
// and lanes the code that uses the lanes of the narrow form. If few is not nil, it emits a shorter
// form of small for few features. The code of few and lanes returns from the function.
func (v vectors) narrow(few func(s smallAVX2, words [8]reg.VecVirtual, total reg.GPVirtual), small func(s smallAVX2, sums reg.GPVirtual, total reg.VecVirtual), lanes func(p pairwise, acc [8]reg.VecVirtual)) {
	b := v.builder
	any, total := v.look()
	v.beyond127(any)
	b.JNE(operand.LabelRef("narrow"))
	b.storeFits(1)
	v.sumEverywhere(total)
	sum := b.GP32() // registers are scarce
	b.VMOVD(total.AsX(), sum)
	s, sums := smallAVX2{b}, b.param("sums")
	var ifFew func(words [8]reg.VecVirtual)
	if few != nil {
		ifFew = func(words [8]reg.VecVirtual) { few(s, words, sum) }
	}
	s.sum(b.features(), sums, ifFew)
	total = b.YMM()
	b.VMOVD(sum, total.AsX())
	b.VPBROADCASTD(total.AsX(), total)
	small(s, sums, total)
	b.leave()
	b.Label("narrow")
	v.beyondNarrow(any)
	b.JEQ(operand.LabelRef("fits"))
	b.storeFits(0)
	b.leave()
	b.Label("fits")
	b.storeFits(1)
	p := pairwise{b, false}
	acc := p.zeros()
	p.accumulate(acc)
	lanes(p, acc)
}

// addTo64 adds the lanes to the 64-bit lanes in memory and returns from the function.
func (p pairwise) addTo64(acc [8]reg.VecVirtual) {
	b := p.builder
	b.Comment("Widen the lanes and add them to the lanes in memory.")
	lanes := b.param("lanes")
	for i := range acc {
		for h := range 2 {
			half, wide := acc[i].AsX(), b.YMM()
			if h == 1 {
				half = b.XMM()
				b.VEXTRACTI128(operand.U8(1), acc[i], half)
			}
			b.VPMOVSXDQ(half, wide)
			upper := b.XMM()
			b.VEXTRACTI128(operand.U8(1), wide, upper)
			for x, part := range []operand.Op{wide.AsX(), upper} {
				at := operand.Mem{Base: lanes, Disp: 8 * laneAVX2(i, h, 2*x)}
				b.VPADDQ(at, part, part)
				b.VMOVDQU(part, at)
			}
		}
	}
	b.leave()
}
