package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The AVX-512 forms of i32 weights begin with a look at all of them: within ±127 they take the
// small form, otherwise the narrow form, whose lanes have 32 bits. Both leave in a lane the sum S
// of the weights that count positive, and V = 2·S - total. Weights whose sum may need more than 32
// bits are for another function, with lanes of 64 bits.

// integers is the small and the narrow form of one tier, which leave the lanes in the order of its
// grouped form.
type integers struct {
	grouped
	smallLimit    uint32 // features that the small form can take
	small, narrow func(g grouped, acc []reg.VecVirtual, in features)
}

// sums are the lanes S, and the total of the weights in every element of a register.
type sums struct {
	lanes []reg.VecVirtual
	total reg.VecVirtual
}

// features says where the features are that are still to be added: n codes and weights.
type features struct{ codes, weights, n reg.GPVirtual }

func (b *builder) features() features {
	return features{
		codes:   b.base("codes"),
		weights: b.base("weights"),
		n:       b.length("codes"),
	}
}

// storeFits stores the result that says whether 32 bits are enough.
func (b *builder) storeFits(fits uint32) {
	r := b.GP32()
	b.MOVL(operand.U32(fits), r)
	b.Store(r.As8(), b.Return("fits"))
}

// skip steps over count features; the flags are those of what is left of n.
func (b *builder) skip(in features, count int) {
	b.ADDQ(operand.U8(8*count), in.codes)
	b.ADDQ(operand.U8(4*count), in.weights)
	b.SUBQ(operand.U8(count), in.n)
}

func (g integers) emit() {
	const fits = "If a sum may need more than 32 bits, it does nothing, and fits is false. There are fewer than 1<<24 weights."
	b := g.builder
	name := "addI32Narrow" + g.isa
	b.function(name, "func(lanes *[64]int64, codes []uint64, weights []int32) (fits bool)", name+" adds ±weights[i] to each lane. "+fits)
	s := g.sums()
	b.Comment("Twice the weights that count positive, less the total.")
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

// sums returns the sums, or from the function.
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

// signsOfSums stores the signs of V. V is greater than 0 where S is greater than half the total,
// rounded down; it is 0 where they are equal, if the total is even.
func (g integers) signsOfSums(s sums) {
	b := g.builder
	b.Comment("Compare the sums of the weights that count positive with half the total.")
	half := b.ZMM()
	b.VPSRAD(operand.U8(1), s.total, half)
	for _, l := range s.lanes {
		b.VPSUBD(half, l, l)
	}
	b.Comment("Saturation leaves signs and zeros as they are.")
	b.VPACKSSDW(s.lanes[1], s.lanes[0], s.lanes[0])
	b.VPACKSSDW(s.lanes[3], s.lanes[2], s.lanes[2])
	all := s.lanes[0]
	b.VPACKSSWB(s.lanes[2], all, all)
	// Quarter x/4 has 16 lanes of its own, and of byte 4i+x%4 it is clear which.
	order := func(at int) uint8 {
		for i := range s.lanes {
			for x := range 4 {
				if g.laneOf(i, x) == at {
					return uint8(4*i + x)
				}
			}
		}
		panic("a quarter does not have its lanes")
	}
	natural := true
	for at := range 16 {
		natural = natural && order(at) == uint8(at)
	}
	if !natural {
		b.VPSHUFB(b.load512(b.bytes("natural"+g.order, 16, order)), all, all)
	}
	b.Comment("Signs; ties are rare, and none if the total is odd.")
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

// look emits the look at i32 weights that says which form will do. It returns the OR of their
// absolute values, so that one test tells whether any has a bit that it must not have, and the
// elements of their sum.
func (v vectors) look() (any, total reg.VecVirtual) {
	b := v.builder
	b.Comment("The bits of the absolute values of all weights, and their sum.")
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

// beyond127 sets the zero flag if any has no bit that numbers up to 127 have not.
func (v vectors) beyond127(any reg.VecVirtual) {
	v.Comment("Is any weight beyond ±127?")
	mask := v.register()
	v.VPBROADCASTD(v.words32("beyond127", 1, func(int) uint32 { return ^uint32(127) }), mask)
	v.testAny(any, mask)
}

// beyondNarrow sets the zero flag if any has no bit that would allow the sum of all absolute values
// to reach 1<<31. There is a weight, and there are fewer than 1<<24.
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

// sumEverywhere leaves the sum of all double words, modulo 1<<32, in each of them.
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

// The AVX2 form of i32 weights begins with a look too, and goes on with lanes of 16, 32 or 64 bits.

func emitI32AVX2(v vectors) {
	const fits = "If a sum may need more than 32 bits, it does nothing, and fits is false. There are fewer than 1<<24 weights. It uses sums, which are zeros."
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

// narrow emits a function but for what it does with the sums of the small form, of a few features
// if that is another thing, and the lanes of the narrow form; few and lanes return from the
// function.
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

// addTo64 adds the lanes to those of 64 bits in memory and returns from the function.
func (p pairwise) addTo64(acc [8]reg.VecVirtual) {
	b := p.builder
	b.Comment("Widen the lanes and add them to those in memory.")
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
