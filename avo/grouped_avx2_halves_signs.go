package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

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
		b.Comment("Is any lane rare? The upper half of a lane that is 0 or not finite, without its sign and less 1, is the largest of numbers.")
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
	// One double word for each lane, one word, one byte: in each half of the register lanes 4q+2h
	// and 4q+2h+1, q = 0..7, which PDEP spreads.
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
