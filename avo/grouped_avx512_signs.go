package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// signs compares the accumulators with 0 and stores the results. One test detects ties and sums
// that are not finite; the masks are computed only if there are any.
func (g grouped) signs(acc []reg.VecVirtual) {
	// VFPCLASS: quiet NaN 1, +0 2, -0 4, +infinity 8, -infinity 16, signalling NaN 128
	const rareClasses, infiniteClasses = 0x9F, 0x99
	b := g.builder
	b.Comment("The signs of the lanes.")
	zero := b.zero512()
	class := func(classes int) func(i int, k reg.OpmaskVirtual) {
		return func(i int, k reg.OpmaskVirtual) {
			if g.bits == 32 {
				b.VFPCLASSPSZ(operand.U8(classes), acc[i], k)
			} else {
				b.VFPCLASSPDZ(operand.U8(classes), acc[i], k)
			}
		}
	}
	isZero := func(i int, k reg.OpmaskVirtual) {
		switch {
		case g.float && g.bits == 32:
			b.VCMPPS(operand.U8(compareEqual), zero, acc[i], k)
		case g.float:
			b.VCMPPD(operand.U8(compareEqual), zero, acc[i], k)
		default:
			b.VPTESTNMQ(acc[i], acc[i], k)
		}
	}
	g.collect(acc, "Positive", func(i int, k reg.OpmaskVirtual) {
		switch {
		case g.float && g.bits == 32:
			b.VCMPPS(operand.U8(compareGreater), zero, acc[i], k)
		case g.float:
			b.VCMPPD(operand.U8(compareGreater), zero, acc[i], k)
		default:
			b.VPCMPGTQ(zero, acc[i], k)
		}
	})
	isRare := isZero
	if g.float {
		isRare = class(rareClasses)
	} else {
		b.storeAllFinite()
	}
	b.Comment("Is any lane rare: 0, or not finite?")
	var rare [2]reg.OpmaskVirtual
	for i := range acc {
		k := b.K()
		isRare(i, k)
		if i < 2 {
			rare[i] = k
		} else {
			b.KORW(k, rare[i%2], rare[i%2])
		}
	}
	b.KORTESTW(rare[0], rare[1])
	b.JNZ(operand.LabelRef("rare"))
	none := b.GP64()
	b.XORL(none.As32(), none.As32())
	b.storeSign("Zero", none)
	if g.float {
		b.storeSign("NonFinite", none)
	}
	b.leave()
	b.Label("rare")
	g.collect(acc, "Zero", isZero)
	if g.float {
		g.collect(acc, "NonFinite", class(infiniteClasses))
	}
	b.leave()
}

// collect stores the comparison of all lanes, bit j for lane j.
func (g grouped) collect(acc []reg.VecVirtual, result string, compare func(i int, k reg.OpmaskVirtual)) {
	b := g.builder
	b.Comment(result + ": one bit for each lane, accumulator by accumulator.")
	var all reg.GPVirtual
	var spread reg.GPVirtual
	before := uint64(0)
	for i := range acc {
		k, bits := b.K(), b.GP64()
		compare(i, k)
		if g.bits == 32 {
			b.KMOVW(k, bits.As32())
		} else {
			b.KMOVB(k, bits.As32())
		}
		// The lanes of an accumulator ascend with its elements, so one PDEP moves its bits to their
		// places. Accumulators whose lanes differ by a constant share the pattern.
		var places uint64
		for e := range 512 / g.bits {
			places |= 1 << g.laneOf(i, e)
		}
		shift := g.laneOf(i, 0)
		if pattern := places >> shift; pattern != before {
			spread, before = b.immediate(pattern), pattern
		}
		b.PDEPQ(spread, bits, bits)
		if shift > 0 {
			b.SHLQ(operand.U8(shift), bits)
		}
		if i == 0 {
			all = bits
		} else {
			b.ORQ(bits, all)
		}
	}
	b.storeSign(result, all)
}
