package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A scan searches for words that are near their counterparts in a pattern, the repeated query.
// (x^p)&(y^p) has no more ones than either difference from the pattern, so a single count can rule
// out both words. A pair of random words passes that test with probability 1.8e-5 at a limit of 3,
// and is then counted again. Above pairLimit too many pairs pass, so each word is counted
// separately.
const pairLimit = 5

func emitScan(v vectors) {
	v.near()
	v.nearPeriodic()
}

// shared stores (x^p)&(y^p) in x; y may be in memory.
func (s vectors) shared(x reg.VecVirtual, y operand.Op, p reg.VecVirtual) {
	if s.bytes == 64 {
		s.VPTERNLOGQ(operand.U8(ternaryBothDiffer), y, p, x)
		return
	}
	t := s.register()
	s.xor(y, p, t)
	s.xor(p, x, x)
	s.and(t, x, x)
}

// near emits the kernel for patterns of up to 8 words.
func (s vectors) near() {
	name := "near" + s.isa
	s.function(name, "func(words []uint64, pattern *[8]uint64, limit uint64) (at int, hits uint64)",
		name+" returns the position of the first 64 words, counted from the start, that screening does not rule out, and one bit for each of them that differs "+
			"in at most limit bits from its counterpart in the pattern, repeated: none if screening was too cautious. At is the number of words if all are ruled out. "+
			"A last block of fewer words is never ruled out. The number of words is a multiple of 8.")
	p, n := s.slice("words")
	from := s.param("pattern")
	limit := s.param("limit")
	s.Comment("The pattern, and the constants of counting.")
	pattern := make([]reg.VecVirtual, 64/s.bytes)
	for i := range pattern {
		pattern[i] = s.load(operand.Mem{Base: from, Disp: s.bytes * i})
	}
	c := newCounter(s, 64)
	start := s.GP64()
	s.MOVQ(p, start)

	s.CMPQ(n, operand.U8(64))
	s.JL(operand.LabelRef("exact"))
	s.CMPQ(limit, operand.U8(pairLimit))
	s.JA(operand.LabelRef("singles"))
	for _, loop := range []string{"pairs", "singles"} {
		s.Label(loop)
		if loop == "pairs" {
			s.Comment("Screen 64 words, two at a time: count the bits in which both differ.")
		} else {
			s.Comment("Screen 64 words: count the bits in which each differs.")
		}
		for line := 0; line < 512; line += 64 {
			s.PREFETCHT0(operand.Mem{Base: p, Disp: prefetchDistance + line})
		}
		var counts []reg.VecVirtual
		var least reg.VecVirtual
		for i := range 512 / s.bytes {
			at := func(i int) operand.Mem { return operand.Mem{Base: p, Disp: s.bytes * i} }
			period := len(pattern)
			if loop == "pairs" && i/period%2 == 1 {
				continue
			}
			x := s.register()
			if loop == "pairs" {
				x = s.load(at(i))
				s.shared(x, at(i+period), pattern[i%period])
			} else {
				s.xor(at(i), pattern[i%period], x)
			}
			c.ones(x)
			if counts = append(counts, x); len(counts) < 4 {
				continue
			}
			if four := c.leastOf(counts); least == nil {
				least = four
			} else {
				c.VPMINUD(four, least, least)
			}
			counts = nil
		}
		s.Comment("Is the smallest count within the limit?")
		c.jumpIfAny(least, "exact")
		s.ADDQ(operand.U32(512), p)
		s.SUBQ(operand.U8(64), n)
		s.CMPQ(n, operand.U8(64))
		s.JGE(operand.LabelRef(loop))
		if loop == "pairs" {
			s.JMP(operand.LabelRef("exact"))
		}
	}
	s.Label("exact")
	s.Comment("A block that may have hits, or the rest: count word by word.")
	hits := s.GP64()
	s.XORL(hits.As32(), hits.As32())
	s.TESTQ(n, n)
	s.JZ(operand.LabelRef("done"))
	s.exact(c, p, n, pattern, hits)
	s.Label("done")
	s.Comment("The position of the block, in words.")
	s.SUBQ(start, p)
	s.SHRQ(operand.U8(3), p)
	s.Store(p, s.Return("at"))
	s.Store(hits, s.Return("hits"))
	s.leave()
}

// exact sets a bit in hits for each of the next min(n, 64) words that is within the limit.
func (s vectors) exact(c *counter, p, n reg.GPVirtual, pattern []reg.VecVirtual, hits reg.GPVirtual) {
	left, at, place := s.atMost(n, 64), s.GP64(), s.GP64()
	s.MOVQ(p, at)
	s.XORL(place.As32(), place.As32())
	s.Label("exactLoop")
	var some reg.GPVirtual
	for i, r := range pattern {
		x, near := s.register(), s.GP64()
		s.xor(operand.Mem{Base: at, Disp: s.bytes * i}, r, x)
		c.ones(x)
		c.within(x, near)
		if i == 0 {
			some = near
			continue
		}
		s.SHLQ(operand.U8(s.words()*i), near)
		s.ORQ(near, some)
	}
	s.SHLXQ(place, some, some)
	s.ORQ(some, hits)
	s.ADDQ(operand.U8(64), at)
	s.ADDQ(operand.U8(8), place)
	s.SUBQ(operand.U8(8), left)
	s.JNZ(operand.LabelRef("exactLoop"))
}

// atMost returns min(n, most).
func (b *builder) atMost(n reg.GPVirtual, most int) reg.GPVirtual {
	r := b.immediate(uint64(most))
	b.CMPQ(n, r)
	b.JGE(operand.LabelRef(label("atMost", most)))
	b.MOVQ(n, r)
	b.Label(label("atMost", most))
	return r
}

// address returns the address of the parameter in memory.
func (b *builder) address(parameter string) operand.Mem {
	basic, err := b.Param(parameter).Resolve()
	if err != nil {
		panic(err) // a mistake in the generator
	}
	return basic.Addr
}

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
	step, apart := s.GP64(), s.GP64() // step in words, apart in bytes
	s.LEAQ(operand.Mem{Base: period, Index: period, Scale: 1}, step)
	s.MOVQ(period, apart)
	s.SHLQ(operand.U8(3), apart)
	s.CMPQ(limit, operand.U8(pairLimit))
	s.JA(operand.LabelRef("singles"))
	for _, form := range []string{"pairs", "singles"} {
		s.Label(form)
		if form == "pairs" {
			s.Comment("Words twice as long as the pattern: count the bits in which a word and the word one pattern later both differ.")
		} else {
			s.Comment("Words twice as long as the pattern: count the bits in which each differs.")
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
			c.VPMINUD(pattern, least, least)
		}
		c.ones(x)
		c.VPMINUD(x, least, least)
		s.ADDQ(operand.U8(s.bytes), i)
		s.CMPQ(i, apart)
		s.JNE(operand.LabelRef(form + "Loop"))
		s.Comment("Is the smallest count within the limit?")
		c.jumpIfAny(least, "done")
		s.LEAQ(operand.Mem{Base: p, Index: apart, Scale: 2}, p)
		s.JMP(operand.LabelRef(form))
	}
	s.Label("done")
	s.Comment("The position of these words.")
	s.SUBQ(start, p)
	s.SHRQ(operand.U8(3), p)
	s.Store(p, s.Return("at"))
	s.leave()
}
