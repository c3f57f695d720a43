package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The AVX2 form for lanes of 64 bits also looks up pairs: VPERMD selects from the four sums ±w0
// ±w1, which have two double words each. Sixteen registers cannot hold 64 such lanes, so the kernel
// makes two passes over the features, with 32 lanes each.
//
// A position in the table has 3 bits: the two bits of the pair, and below them 0 or 1 for the lower
// or upper double word of a sum. So the adjacent pairs of bits of the interleaved codes are spread
// to 4 bits each. Pass 0 uses the pairs with even numbers and pass 1 those with odd numbers.
// Element y of accumulator q in pass h is lane laneHalves(h, q, y).

func laneHalves(h, q, y int) int { return 32*(y/2) + 4*q + 2*h + y%2 }

// halves is the form for one type of lanes and weights.
type halves struct {
	*builder
	float       bool
	weightBytes int // 8, or 4 if weights must be widened
}

func emitF64AVX2(v vectors) { v.inHalves("F64", "float64", "float64", 8) }
func emitI64AVX2(v vectors) { v.inHalves("I64", "int64", "int64", 8) }

func (v vectors) inHalves(op, lane, weight string, weightBytes int) {
	f := halves{v.builder, lane == "float64", weightBytes}
	v.weighted(op, lane, weight, f.addToLanes, f.sketch)
}

// addToLanes adds to the lanes in memory.
func (f halves) addToLanes() {
	b := f.builder
	for h := range 2 {
		lanes := b.param("lanes")
		at := func(q, y int) operand.Mem { return operand.Mem{Base: lanes, Disp: 8 * laneHalves(h, q, y)} }
		b.Comment(label("Pass ", h) + " of two: 32 of the lanes.")
		var acc [8]reg.VecVirtual
		for q := range acc {
			acc[q] = b.YMM()
			b.VMOVDQU(at(q, 0), acc[q]) // the next instruction replaces the upper half
			b.VINSERTI128(operand.U8(1), at(q, 2), acc[q], acc[q])
		}
		f.accumulate(h, acc)
		b.Comment("Bring them back into their natural order.")
		for q := range acc {
			upper := b.XMM()
			b.VEXTRACTI128(operand.U8(1), acc[q], upper)
			b.VMOVDQU(acc[q].AsX(), at(q, 0))
			b.VMOVDQU(upper, at(q, 2))
		}
	}
	b.leave()
}

func (f halves) sketch() {
	b, signs := f.builder, f.signs()
	for h := range 2 {
		b.Comment(label("Pass ", h) + " of two: 32 of the lanes, from zero.")
		var acc [8]reg.VecVirtual
		for q := range acc {
			acc[q] = b.zero256()
		}
		f.accumulate(h, acc)
		signs.add(h, acc)
	}
	signs.store()
	b.leave()
}

func (f halves) plus(a, b operand.Op) {
	if f.float {
		f.VADDPD(a, b, b)
	} else {
		f.VPADDQ(a, b, b)
	}
}

// negate changes the signs of the elements whose position has a 0 in bit s.
func (f halves) negate(s int, w reg.VecVirtual) {
	if f.float {
		f.VXORPD(f.words64(label("signs64_", s), 4, func(e int) uint64 { return uint64(^e>>s&1) << 63 }), w, w)
		return
	}
	ones := f.words64(label("ones64_", s), 4, func(e int) uint64 { return uint64(e>>s&1) - 1 })
	f.VPXOR(ones, w, w)
	f.VPSUBQ(ones, w, w)
}

func (f halves) accumulate(h int, acc [8]reg.VecVirtual) {
	b := f.builder
	codes, n := b.slice("codes")
	weights := b.base("weights")
	loop, tail, done := label("loop", h), label("tail", h), label("done", h)

	b.SUBQ(operand.U8(8), n)
	b.JL(operand.LabelRef(tail))
	b.Label(loop)
	b.Comment("Eight features.")
	x, y := b.YMM(), b.YMM()
	b.VMOVDQU(operand.Mem{Base: codes}, x)
	b.VMOVDQU(operand.Mem{Base: codes, Disp: 32}, y)
	f.add(h, acc, x, y, func(group int) func(k int) reg.VecVirtual {
		at := operand.Mem{Base: weights, Disp: 4 * f.weightBytes * group}
		if f.weightBytes == 4 {
			w := b.YMM()
			b.VPMOVSXDQ(at, w)
			return f.oneOf(w)
		}
		return func(k int) reg.VecVirtual {
			r := b.YMM()
			b.VBROADCASTSD(at.Offset(8*k), r)
			return r
		}
	})
	b.ADDQ(operand.U8(64), codes)
	b.ADDQ(operand.U8(8*f.weightBytes), weights)
	b.SUBQ(operand.U8(8), n)
	b.JGE(operand.LabelRef(loop))
	b.Label(tail)
	b.ADDQ(operand.U8(8), n)
	b.JZ(operand.LabelRef(done))
	b.Comment("The last 1 to 7 features. Missing features have weight 0.")
	x, y = b.loadCodesBelow8(codes, n)
	f.add(h, acc, x, y, func(group int) func(k int) reg.VecVirtual {
		w := b.YMM()
		if f.weightBytes == 8 {
			b.VPMASKMOVQ(operand.Mem{Base: weights, Disp: 32 * group}, b.maskBelow8(n, 8, group), w)
			return f.oneOf(w)
		}
		b.VPMASKMOVD(operand.Mem{Base: weights}, b.maskBelow8(n, 4, 0), w)
		half := w.AsX()
		if group == 1 {
			half = b.XMM()
			b.VEXTRACTI128(operand.U8(1), w, half)
		}
		wide := b.YMM()
		b.VPMOVSXDQ(half, wide)
		return f.oneOf(wide)
	})
	b.Label(done)
}

// oneOf returns a function that broadcasts weight k of four to all elements.
func (f halves) oneOf(w reg.VecVirtual) func(k int) reg.VecVirtual {
	return func(k int) reg.VecVirtual {
		r := f.YMM()
		f.VPERMQ(operand.U8(0x55*k), w, r)
		return r
	}
}

// add adds two groups of features, whose codes are x and y, to the 32 lanes of pass h. weights
// returns a function that broadcasts one of a group's four weights to all elements.
func (f halves) add(h int, acc [8]reg.VecVirtual, x, y reg.VecVirtual, weights func(group int) func(k int) reg.VecVirtual) {
	b := f.builder
	first, second := interleaveAVX2(b, x, y)
	for group, codes := range []reg.VecVirtual{first, second} {
		w := weights(group)
		var bits, table [2]reg.VecVirtual
		for pair := range bits {
			b.Comment(fmt.Sprintf("Group %d, pair %d: the 4 sums of its weights, and its bits for each lane.", group, pair))
			even := w(2 * pair)
			table[pair] = w(2*pair + 1)
			f.negate(0, even)
			f.negate(1, table[pair])
			f.plus(even, table[pair])
			bits[pair] = f.spread(h, codes, pair)
		}
		b.Comment("Look up both pairs for each lane, and add their sums to it.")
		for q := range acc {
			var sum [2]reg.VecVirtual
			for pair := range sum {
				position := bits[pair]
				sum[pair] = b.YMM()
				if q > 0 {
					position = sum[pair]
					b.VPSRLD(operand.U8(4*q), bits[pair], position)
				}
				b.VPERMD(table[pair], position, sum[pair])
			}
			f.plus(sum[1], sum[0])
			f.plus(sum[0], acc[q])
		}
	}
}

// spread returns each double word of the pair twice. Bits 1 and 2 of every 4 bits are a pair of
// bits with an even or odd number, and bit 0 is the number of the copy.
func (f halves) spread(h int, codes reg.VecVirtual, pair int) reg.VecVirtual {
	b := f.builder
	twice := b.YMM()
	b.VMOVDQU(b.words32(label("twice", pair), 8, func(e int) uint32 { return uint32(4*pair + e/2) }), twice)
	bits := b.YMM()
	b.VPERMD(codes, twice, bits)
	if h == 0 {
		b.VPADDD(bits, bits, bits)
	} else {
		b.VPSRLD(operand.U8(1), bits, bits)
	}
	b.VPAND(b.words32("pairOfFour", 8, func(int) uint32 { return 0x66666666 }), bits, bits)
	b.VPOR(b.words32("upperCopy", 8, func(e int) uint32 { return uint32(e%2) * 0x11111111 }), bits, bits)
	return bits
}

// halvesSigns collects the signs of the lanes of the two passes.
type halvesSigns struct {
	halves
	positive, ties, nonFinite reg.GPVirtual
}

func (f halves) signs() halvesSigns {
	s := halvesSigns{halves: f, positive: f.GP64(), ties: f.GP64()}
	f.XORL(s.positive.As32(), s.positive.As32())
	f.XORL(s.ties.As32(), s.ties.As32())
	if f.float {
		s.nonFinite = f.GP64()
		f.XORL(s.nonFinite.As32(), s.nonFinite.As32())
	}
	return s
}

// add adds the signs of the lanes of pass h. Signs that are rarely other than 0 are computed only
// if a quick test of all lanes finds that there may be one.
func (s halvesSigns) add(h int, acc [8]reg.VecVirtual) {
	b, zero := s.builder, s.zero256()
	usual := label("usual", h)
	b.Comment("Positive lanes.")
	s.collect(h, acc, s.positive, func(acc, mask reg.VecVirtual) {
		if s.float {
			b.VCMPPD(operand.U8(compareGreater), zero, acc, mask)
		} else {
			b.VPCMPGTQ(zero, acc, mask)
		}
	})
	isZero := func(acc, mask reg.VecVirtual) {
		if s.float {
			b.VCMPPD(operand.U8(compareEqual), zero, acc, mask)
		} else {
			b.VPCMPEQQ(zero, acc, mask)
		}
	}
	rare := b.YMM()
	if s.float {
		b.Comment("Is any lane 0 or not finite? Then the upper half without the sign, minus 1, is a large unsigned number.")
		minusOne, largest := b.YMM(), b.zero256()
		b.VPCMPEQD(minusOne, minusOne, minusOne)
		for q := 0; q < len(acc); q += 2 {
			v := b.YMM()
			b.VSHUFPS(operand.U8(0xDD), acc[q+1], acc[q], v)
			b.VPADDD(v, v, v)
			b.VPADDD(minusOne, v, v)
			b.VPMAXUD(v, largest, largest)
		}
		b.VPMAXUD(b.words32("rareUpperFrom", 8, func(int) uint32 { return 0xFFE00000 - 1 }), largest, rare)
		b.VPCMPEQD(rare, largest, rare)
	} else {
		b.Comment("Is any lane 0?")
		for q := range acc {
			if q == 0 {
				isZero(acc[q], rare)
				continue
			}
			mask := b.YMM()
			isZero(acc[q], mask)
			b.VPOR(mask, rare, rare)
		}
	}
	b.VPTEST(rare, rare)
	b.JZ(operand.LabelRef(usual))
	b.Comment("Lanes that are 0.")
	s.collect(h, acc, s.ties, isZero)
	if s.float {
		b.Comment("Lanes that are not finite.")
		s.collect(h, acc, s.nonFinite, func(acc, mask reg.VecVirtual) {
			b.VSUBPD(acc, acc, mask) // 0, or not a number
			b.VCMPPD(operand.U8(compareUnordered), mask, mask, mask)
		})
	}
	b.Label(usual)
}

// collect adds the bits of the comparison's masks to bits.
func (s halvesSigns) collect(h int, acc [8]reg.VecVirtual, bits reg.GPVirtual, compare func(acc, mask reg.VecVirtual)) {
	b := s.builder
	// The masks are packed from double words to words to bytes. Each half of the register then has
	// lanes 4q+2h and 4q+2h+1, q = 0..7, and PDEP moves their bits to their positions.
	var words [2]reg.VecVirtual
	for i := range words {
		var pairs [2]reg.VecVirtual
		for j := range pairs {
			var m [2]reg.VecVirtual
			for k := range m {
				m[k] = b.YMM()
				compare(acc[4*i+2*j+k], m[k])
			}
			pairs[j] = m[0]
			b.VSHUFPS(operand.U8(0x88), m[1], m[0], m[0])
		}
		words[i] = pairs[0]
		b.VPACKSSDW(pairs[1], pairs[0], words[i])
	}
	b.VPACKSSWB(words[1], words[0], words[0])
	found := b.GP64()
	b.VPMOVMSKB(words[0], found.As32())
	b.PDEPQ(b.immediate(0x3333333333333333<<(2*h)), found, found)
	b.ORQ(found, bits)
}

func (s halvesSigns) store() {
	s.storeSign("Positive", s.positive)
	s.storeSign("Zero", s.ties)
	if s.float {
		s.storeSign("NonFinite", s.nonFinite)
	} else {
		s.storeAllFinite()
	}
}
