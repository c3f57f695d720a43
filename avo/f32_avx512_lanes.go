package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// loadLanes brings the lanes from memory, in their natural order, into the accumulators. A permutation of two registers reaches 32 lanes, so an accumulator is put
// together from lanes 0..31 and lanes 32..63.
func (f f32Form) loadLanes(b *builder, lanes reg.GPVirtual) (acc [4]reg.VecVirtual) {
	var m [4]reg.VecVirtual
	for q := range m {
		m[q] = b.ZMM()
		b.VMOVUPS(operand.Mem{Base: lanes, Disp: 64 * q}, m[q])
	}
	upper := b.maskOf(func(x int) bool { return f.lane(0, x) >= 32 })
	for i := range acc {
		from := b.load512(b.words32(label("load"+f.isa, i), 16, func(x int) uint32 { return uint32(f.lane(i, x) % 32) }))
		acc[i] = b.permute4(m, from, upper)
	}
	return acc
}

// storeLanes is the reverse of loadLanes.
func (f f32Form) storeLanes(b *builder, acc [4]reg.VecVirtual, lanes reg.GPVirtual) {
	find := func(lane int) (i, x int) {
		for i := range 4 {
			for x := range 16 {
				if f.lane(i, x) == lane {
					return i, x
				}
			}
		}
		panic("no such lane")
	}
	upper := b.maskOf(func(x int) bool { i, _ := find(x); return i >= 2 })
	for q := range acc {
		from := b.load512(b.words32(label("store"+f.isa, q), 16, func(x int) uint32 { i, y := find(16*q + x); return uint32(16*(i%2) + y) }))
		b.VMOVUPS(b.permute4(acc, from, upper), operand.Mem{Base: lanes, Disp: 64 * q})
	}
}

// maskOf returns the mask register of 16 bits in which bit x is is(x).
func (b *builder) maskOf(is func(x int) bool) reg.OpmaskVirtual {
	var bits uint32
	for x := range 16 {
		if is(x) {
			bits |= 1 << x
		}
	}
	r, k := b.GP32(), b.K()
	b.MOVL(operand.U32(bits), r)
	b.KMOVW(r, k)
	return k
}

// permute4 returns the float at position from[x] of s[0], s[1], or of s[2], s[3] where upper is set.
func (b *builder) permute4(s [4]reg.VecVirtual, from reg.VecVirtual, upper reg.OpmaskVirtual) reg.VecVirtual {
	low, high := b.ZMM(), b.ZMM()
	b.VMOVAPS(s[0], low)
	b.VPERMT2PS(s[1], from, low)
	b.VMOVAPS(s[2], high)
	b.VPERMT2PS(s[3], from, high)
	b.VMOVAPS(high, upper, low)
	return low
}

// signs compares the accumulators with 0 and stores the three results. Ties and sums that are not finite are looked for all at once; only where there is one are
// the masks made.
func (f f32Form) signs(b *builder, acc [4]reg.VecVirtual) {
	const rareClasses, infiniteClasses = 0x9F, 0x99 // VFPCLASSPS: quiet NaN 1, +0 2, -0 4, +infinity 8, -infinity 16, signalling NaN 128
	zero := b.zero512()
	positions := b.immediate(f.gather)
	collect := func(result string, compare func(i int, k reg.OpmaskVirtual)) {
		var all reg.GPVirtual
		for i := range acc {
			k, bits := b.K(), b.GP64()
			compare(i, k)
			b.KMOVW(k, bits.As32())
			b.PDEPQ(positions, bits, bits)
			if i == 0 {
				all = bits
				continue
			}
			b.SHLQ(operand.U8(f.step*i), bits)
			b.ORQ(bits, all)
		}
		b.Store(all, b.Return(result))
	}
	collect("positive", func(i int, k reg.OpmaskVirtual) { b.VCMPPS(operand.U8(compareGreater), zero, acc[i], k) })

	var rare [4]reg.OpmaskVirtual
	for i := range acc {
		rare[i] = b.K()
		b.VFPCLASSPSZ(operand.U8(rareClasses), acc[i], rare[i])
	}
	b.KORW(rare[0], rare[1], rare[0])
	b.KORW(rare[2], rare[3], rare[2])
	b.KORTESTW(rare[0], rare[2])
	b.JNZ(operand.LabelRef("rare"))
	none := b.GP64()
	b.XORL(none.As32(), none.As32())
	b.Store(none, b.Return("zero"))
	b.Store(none, b.Return("nonFinite"))
	b.VZEROUPPER()
	b.RET()
	b.Label("rare")
	collect("zero", func(i int, k reg.OpmaskVirtual) { b.VCMPPS(operand.U8(compareEqual), zero, acc[i], k) })
	collect("nonFinite", func(i int, k reg.OpmaskVirtual) { b.VFPCLASSPSZ(operand.U8(infiniteClasses), acc[i], k) })
}
