package main

import (
	"github.com/mmcloughlin/avo/operand"
)

// nearPeriodic emits the kernel for patterns of any length.
func (s vectors) nearPeriodic() {
	name := "nearPeriodic" + s.isa
	s.function(name, "func(words, pattern []uint64, limit uint64) (at int)",
		name+" returns the position of the first 2·len(pattern) words, counted from the start, of which any may differ in at most limit bits from its counterpart in the "+
			"pattern, repeated, or of the rest if fewer are left. The pattern has a multiple of 8 words.")
	p, n := s.slice("words")
	from, period := s.slice("pattern")
	limit := s.param("limit")
	c := newCounter(s, 64)
	start := s.GP64()
	s.MOVQ(p, start)
	step, apart := s.GP64(), s.GP64() // in words, in bytes
	s.LEAQ(operand.Mem{Base: period, Index: period, Scale: 1}, step)
	s.MOVQ(period, apart)
	s.SHLQ(operand.U8(3), apart)
	s.CMPQ(limit, operand.U8(pairLimit))
	s.JA(operand.LabelRef("singles"))
	for _, form := range []string{"pairs", "singles"} {
		s.Label(form)
		if form == "pairs" {
			s.Comment("Two patterns' length of words: count the bits in which a word and the one a pattern later both differ.")
		} else {
			s.Comment("Two patterns' length of words: count the bits in which each differs.")
		}
		s.SUBQ(step, n)
		s.JL(operand.LabelRef("done"))
		i := s.GP64()
		s.XORL(i.As32(), i.As32())
		least := s.ones()
		s.Label(form + "Loop")
		pattern := s.load(operand.Mem{Base: from, Index: i, Scale: 1})
		x := s.load(operand.Mem{Base: p, Index: i, Scale: 1})
		second := s.GP64()
		s.LEAQ(operand.Mem{Base: p, Index: i, Scale: 1}, second)
		y := operand.Mem{Base: second, Index: apart, Scale: 1}
		if form == "pairs" {
			s.shared(x, y, pattern)
		} else {
			s.xor(pattern, x, x)
			s.xor(y, pattern, pattern)
			c.ones(pattern)
			c.least(pattern, least)
		}
		c.ones(x)
		c.least(x, least)
		s.ADDQ(operand.U8(s.bytes), i)
		s.CMPQ(i, apart)
		s.JNE(operand.LabelRef(form + "Loop"))
		s.Comment("Is the least count within the limit?")
		c.jumpIfAny(least, "done")
		s.LEAQ(operand.Mem{Base: p, Index: apart, Scale: 2}, p)
		s.JMP(operand.LabelRef(form))
	}
	s.Label("done")
	s.Comment("Where these words begin.")
	s.SUBQ(start, p)
	s.SHRQ(operand.U8(3), p)
	s.Store(p, s.Return("at"))
	s.leave()
}
