package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

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
		b.Comment("Is any lane rare? Without its sign and less 1, a lane that is 0 or not finite is the largest of numbers.")
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
	// Packed four accumulators at a time, byte 4i+x of half h is lane(i, h, x); the bytes of x < 2
	// are then brought before those of x >= 2.
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
