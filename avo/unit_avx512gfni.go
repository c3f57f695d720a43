package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The form with GFNI counts ones bit-sliced in 8 columns of 64 bits (see adder). Then it transposes
// 8×8 bits of each plane, which moves the 8 columns of a lane into one byte, and VPOPCNTB counts
// them. A byte is wide enough for up to 255 codes; larger counts are kept in multiples of sixteen.

func emitUnitAVX512GFNI(v vectors) {
	u := unitGFNI{vectors: v}
	u.function("sketchUnitAVX512GFNI", "func(codes []uint64) Signs",
		"sketchUnitAVX512GFNI returns the signs of at most 65,535 codes. It works like sketchUnitGeneric.")
	u.count(true)
	u.function("countLanesAVX512GFNI", "func(counts *[64]uint16, codes []uint64)",
		"countLanesAVX512GFNI counts the ones in each lane of at most 65,535 codes.")
	u.count(false)
}

type unitGFNI struct {
	vectors
	gather, unit reg.VecVirtual
}

// turn returns, for each lane, the number of its 8 columns that are set in the plane.
func (u *unitGFNI) turn(plane reg.VecVirtual) reg.VecVirtual {
	t := u.ZMM()
	u.VPERMB(plane, u.gather, t)
	u.VGF2P8AFFINEQB(operand.U8(0), t, u.unit, t)
	u.VPOPCNTB(t, t)
	return t
}

// sum adds the planes' counts by their weights.
func (u *unitGFNI) sum(planes []reg.VecVirtual) reg.VecVirtual {
	s := u.turn(planes[len(planes)-1])
	for i := len(planes) - 2; i >= 0; i-- {
		u.VPADDB(s, s, s)
		u.VPADDB(u.turn(planes[i]), s, s)
	}
	return s
}

func (u *unitGFNI) count(sketch bool) {
	b := u.builder
	codes := codeSource{u.vectors, b.base("codes")}
	n := b.length("codes")
	total := b.GP64()
	b.MOVQ(n, total)
	u.gather = b.load512(b.bytes("gatherBytes", 64, func(i int) uint8 { return uint8(8*(7-i%8) + i/8) }))
	u.unit = b.load512(b.words64("unitMatrix", 8, func(int) uint64 { return 0x8040201008040201 }))
	sixteens := [2]reg.VecVirtual{b.ZMM(), b.ZMM()} // words: lanes 0..7 and 8..15 of every 16
	small := b.ZMM()                                // bytes: the remainders of the sixteens
	if !sketch {
		for _, r := range sixteens {
			b.VPXORQ(r, r, r)
		}
		b.VPXORQ(small, small, small)
	}
	b.CMPQ(n, operand.U32(128))
	b.JA(operand.LabelRef("many"))

	b.Label("rest")
	b.Comment("At most 128 codes: choose the smallest form for their number.")
	rest := b.ZMM()
	for _, size := range []int{1, 2, 4, 8} {
		b.CMPQ(n, operand.U32(8*size))
		b.JBE(operand.LabelRef(label("upTo", 8*size)))
	}
	for _, size := range []int{16, 8, 4, 2, 1} {
		if size < 16 {
			b.Label(label("upTo", 8*size))
		}
		b.Comment(label("At most ", 8*size) + " codes: carry-save adders, then the counts of each plane.")
		a := adder{vectors: u.vectors}
		for i := range size / 2 {
			a.add(0, codes.at(i))
		}
		codes.loadBelow(size/2, (size+1)/2, n, func(r reg.VecVirtual) { a.add(0, r) })
		b.VMOVDQA64(u.sum(a.planes()), rest)
		if size > 1 {
			b.JMP(operand.LabelRef("counted"))
		}
	}
	b.Label("counted")
	if sketch {
		b.CMPQ(total, operand.U32(128))
		b.JA(operand.LabelRef("wide"))
		u.compareBytes(rest, total)
		b.leave()
		b.Label("wide")
	}
	b.Comment("Add the sixteens.")
	b.VPADDB(small, rest, rest)
	zero := b.zero512()
	for i, unpack := range []func(...operand.Op){b.VPUNPCKLBW, b.VPUNPCKHBW} {
		r := b.ZMM()
		unpack(zero, rest, r)
		b.VPSLLW(operand.U8(4), sixteens[i], sixteens[i])
		b.VPADDW(r, sixteens[i], sixteens[i])
	}
	if sketch {
		u.compareWords(sixteens, total)
	} else {
		counts := b.param("counts")
		for i, r := range sixteens {
			for quarter := range 4 {
				x := b.XMM()
				b.VEXTRACTI32X4(operand.U8(quarter), r, x)
				b.VMOVDQU(x, operand.Mem{Base: counts, Disp: 32*quarter + 16*i})
			}
		}
	}
	b.leave()

	b.Label("many")
	u.countMany(codes, n, sixteens, small)
	b.JMP(operand.LabelRef("rest"))
}

// countMany counts codes, 128 at a time, until fewer are left. A byte can hold the sixteens of 31
// such blocks.
func (u *unitGFNI) countMany(codes codeSource, n reg.GPVirtual, sixteens [2]reg.VecVirtual, small reg.VecVirtual) {
	b := u.builder
	b.Comment("More than 128 codes: count them in sixteens.")
	for _, r := range sixteens {
		b.VPXORQ(r, r, r)
	}
	zero := b.zero512()
	running := []reg.VecVirtual{b.zero512(), b.zero512(), b.zero512(), b.zero512()}
	b.Label("blocks31")
	bytes := b.zero512()
	left := b.GP64()
	b.MOVQ(operand.U32(31), left)
	b.Label("block")
	b.Comment("128 codes: carry-save adders leave one plane of sixteens, which is counted.")
	a := adder{vectors: u.vectors}
	for k, r := range running {
		a.add(k, r)
	}
	for i := range 16 {
		a.add(0, codes.at(i))
	}
	b.VPADDB(u.turn(a.pending[4][0]), bytes, bytes)
	b.ADDQ(operand.U32(1024), codes.base)
	b.SUBQ(operand.U32(128), n)
	b.CMPQ(n, operand.U32(128))
	b.JB(operand.LabelRef("flush"))
	b.DECQ(left)
	b.JNZ(operand.LabelRef("block"))
	b.Label("flush")
	b.Comment("Empty the bytes into words.")
	for i, unpack := range []func(...operand.Op){b.VPUNPCKLBW, b.VPUNPCKHBW} {
		r := b.ZMM()
		unpack(zero, bytes, r)
		b.VPADDW(r, sixteens[i], sixteens[i])
	}
	b.CMPQ(n, operand.U32(128))
	b.JAE(operand.LabelRef("blocks31"))
	b.Comment("The remainders of the sixteens.")
	b.VMOVDQA64(u.sum(running), small)
}

// compareBytes stores the signs by comparing each count with half of total.
func (u *unitGFNI) compareBytes(counts reg.VecVirtual, total reg.GPVirtual) {
	b := u.builder
	b.Comment("Compare each count with half of the codes.")
	half := b.GP64()
	b.MOVQ(total, half)
	b.SHRQ(operand.U8(1), half)
	limit := b.ZMM()
	b.VPBROADCASTB(half.As32(), limit)
	more, same := b.K(), b.K()
	b.VPCMPUB(operand.U8(compareAbove), limit, counts, more)
	b.VPCMPUB(operand.U8(compareEqual), limit, counts, same)
	positive, zero := b.GP64(), b.GP64()
	b.KMOVQ(more, positive)
	b.KMOVQ(same, zero)
	b.storeMajority(positive, zero, total)
}

// compareWords does the same for counts in words.
func (u *unitGFNI) compareWords(counts [2]reg.VecVirtual, total reg.GPVirtual) {
	b := u.builder
	b.Comment("Compare each count with half of the codes.")
	half := b.GP64()
	b.MOVQ(total, half)
	b.SHRQ(operand.U8(1), half)
	limit := b.ZMM()
	b.VPBROADCASTW(half.As32(), limit)
	spread := b.immediate(0x00FF00FF00FF00FF)
	result := func(comparison int) reg.GPVirtual {
		var r [2]reg.GPVirtual
		for i := range r {
			k := b.K()
			b.VPCMPUW(operand.U8(comparison), limit, counts[i], k)
			r[i] = b.GP64()
			b.KMOVD(k, r[i].As32())
			b.PDEPQ(spread, r[i], r[i])
		}
		b.SHLQ(operand.U8(8), r[1])
		b.ORQ(r[1], r[0])
		return r[0]
	}
	positive := result(compareAbove)
	b.storeMajority(positive, result(compareEqual), total)
}

// storeMajority stores the results. It uses zero only if total is even.
func (b *builder) storeMajority(positive, zero, total reg.GPVirtual) {
	b.Comment("Signs. Ties are possible only with an even number of codes.")
	b.storeSign("Positive", positive)
	b.storeAllFinite()
	odd := b.GP64()
	b.MOVQ(total, odd)
	b.ANDQ(operand.U8(1), odd)
	b.DECQ(odd)
	b.ANDQ(odd, zero)
	b.storeSign("Zero", zero)
}
