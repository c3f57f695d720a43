package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A scan of split fingerprints counts the differing bits of quarters of 16 bits, with 32 quarters
// in a line. About 30 of 100 lines have a quarter within 3 bits of the query's, so branches would
// be unpredictable. Both passes list lines without a branch: they always write a line to the end of
// the list, and the length of the list grows only if the line has candidates.

// split emits the kernel of such a scan.
func (s vectors) split() {
	name := "candidates" + s.isa
	s.function(name, "func(list *[256]uint64, first, second []uint16, query *[2]uint16, limit uint16) int",
		name+" lists the lines of 32 fingerprints that have candidates, and returns their number; a candidate differs from the query's lower half in at most limit bits. "+
			"An entry is the line's number in the upper half, one bit a candidate in the lower. There are 1 to 256 lines, all whole. Of a line in which the first "+
			"quarter alone leaves no candidate, the second is not read.")
	list := s.param("list")
	first, lines := s.slice("first")
	second := s.base("second")
	c := newCounter(s, 16)
	query := [2]reg.VecVirtual{s.register(), s.register()}
	quarters := s.Load(s.Param("query"), s.GP64())
	for i := range query {
		s.VPBROADCASTW(operand.Mem{Base: quarters, Disp: 2 * i}, query[i])
	}
	// ones counts the differing bits of the line at p.
	ones := func(p, line reg.GPVirtual, query reg.VecVirtual) []reg.VecVirtual {
		counts := make([]reg.VecVirtual, 64/s.bytes)
		for i := range counts {
			counts[i] = s.register()
			s.xor(operand.Mem{Base: p, Index: line, Scale: 1, Disp: s.bytes * i}, query, counts[i])
			c.ones(counts[i])
		}
		return counts
	}
	n, line, some := s.GP64(), s.GP64(), s.GP64()
	entry := operand.Mem{Base: list, Index: n, Scale: 8}
	s.XORL(n.As32(), n.As32())
	s.SHLQ(operand.U8(1), lines) // in bytes
	s.XORL(line.As32(), line.As32())
	s.Label("line")
	s.Comment("First pass: list each line whose first quarters leave a candidate.")
	s.PREFETCHT0(operand.Mem{Base: first, Index: line, Scale: 1, Disp: prefetchDistance})
	s.MOVQ(line, entry)
	s.growIfAny(c, ones(first, line, query[0]), n)
	s.ADDQ(operand.U8(64), line)
	s.CMPQ(line, lines)
	s.JNE(operand.LabelRef("line"))
	listed, at := s.GP64(), s.GP64()
	s.MOVQ(n, listed)
	s.TESTQ(n, n)
	s.JZ(operand.LabelRef("none"))

	s.XORL(n.As32(), n.As32())
	s.XORL(at.As32(), at.As32())
	s.Label("listed")
	s.Comment("Second pass, over the list: count both quarters, and keep the lines that have candidates.")
	s.MOVQ(operand.Mem{Base: list, Index: at, Scale: 8}, line)
	counts := ones(first, line, query[0])
	for i, more := range ones(second, line, query[1]) {
		s.VPADDW(more, counts[i], counts[i])
	}
	s.candidates(c, counts, some)
	s.SHLQ(operand.U8(26), line) // from bytes in the lower half to line numbers in the upper half
	s.ORQ(some, line)
	s.MOVQ(line, entry)
	s.NEGL(some.As32()) // sets the carry unless it is 0
	s.ADCQ(operand.U8(0), n)
	s.INCQ(at)
	s.CMPQ(at, listed)
	s.JNE(operand.LabelRef("listed"))
	s.Label("none")
	s.Store(n, s.ReturnIndex(0))
	s.leave()
}

// growIfAny adds 1 to n if any count of a line is at most the limit.
func (s vectors) growIfAny(c *counter, counts []reg.VecVirtual, n reg.GPVirtual) {
	some := s.GP64()
	if s.bytes == 64 {
		k := s.K()
		s.VPCMPUW(operand.U8(compareAtMost), c.limit, counts[0], k)
		s.KMOVD(k, some.As32())
		s.NEGL(some.As32()) // sets the carry unless it is 0
	} else {
		least := c.leastOf(counts)
		s.VPCMPGTW(c.limit, least, least)
		s.VPMOVMSKB(least, some.As32())
		s.CMPL(some.As32(), operand.U32(1<<32-1)) // sets the carry unless all exceed the limit
	}
	s.ADCQ(operand.U8(0), n)
}

// candidates sets one bit for each of the counts of a line that is at most the limit.
func (s vectors) candidates(c *counter, counts []reg.VecVirtual, some reg.GPVirtual) {
	if s.bytes == 64 {
		k := s.K()
		s.VPCMPUW(operand.U8(compareAtMost), c.limit, counts[0], k)
		s.KMOVD(k, some.As32())
		return
	}
	for _, x := range counts {
		s.VPCMPGTW(c.limit, x, x)
	}
	s.VPACKSSWB(counts[1], counts[0], counts[0])
	// The packing instruction interleaves the quarters of its operands.
	s.VPERMQ(operand.U8(0xD8), counts[0], counts[0])
	s.VPMOVMSKB(counts[0], some.As32())
	s.NOTL(some.As32())
}
