package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The AVX2 form of i32 weights begins with a look too, and goes on with lanes of 16, 32 or 64 bits;
// see integers_avx512.go.

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
	halves{b, false, 4}.emit("I32Wide", "int64", "int32")
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
