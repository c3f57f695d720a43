package main

import (
	"github.com/mmcloughlin/avo/operand"
)

// A join searches for near pairs of 32-bit words, and finds almost none among random words. So the
// kernels screen four rows at a time against each register of columns, with one comparison and one
// branch for all of them, and stop at rows that have a pair. Another kernel, which screens a single
// row, then finds its columns.
//
// Without an instruction that counts ones, clearing up to fewLimit bits is cheaper than counting: a
// word with no more ones is then 0.
const (
	rowsOfGroup = 4
	fewLimit    = 3
	joinLane    = 4 // bytes
)

func emitNear(v vectors) {
	v.screenPairs()
	v.screenRows()
	v.nearColumns()
}

// lanes is the number of columns in a register.
func (v vectors) lanes() int { return v.bytes / joinLane }

func (s vectors) screenPairs() {
	name := "screenPairs" + s.isa
	s.function(name, "func(words []uint32, from int, limit uint64) int",
		name+" returns the first of the rows from, from+4 and so on that may be, or have among the three rows behind it, one that differs from a word farther right in "+
			"at most limit bits; len(words)-1 or more if there is none. The last rows are screened together with those in front of them. There are 4 words or more, and "+
			"the limit is at most 31.")
	words, n := s.slice("words")
	row := s.param("from")
	lastRow, lastGroup := s.GP64(), s.GP64()
	s.LEAQ(operand.Mem{Base: n, Disp: -1}, lastRow)
	s.LEAQ(operand.Mem{Base: n, Disp: -rowsOfGroup}, lastGroup)
	s.screen(func(g *group) {
		g.loadBefore()
		s.Label(g.name)
		s.CMPQ(row, lastRow)
		s.JGE(operand.LabelRef("done"))
		s.Comment("Four rows: their columns begin right of the first, and each rules out those left of itself.")
		at, left, p := s.GP64(), s.GP64(), s.GP64()
		s.MOVQ(row, at)
		s.CMPQ(at, lastGroup)
		s.CMOVQGT(lastGroup, at)
		s.LEAQ(operand.Mem{Base: words, Index: at, Scale: joinLane}, p)
		g.rows(p)
		s.MOVQ(lastRow, left)
		s.SUBQ(at, left)
		s.ADDQ(operand.U8(joinLane), p)
		valid := s.GP64()
		s.MOVQ(operand.U32(s.lanes()), valid)
		s.CMPQ(left, valid)
		s.CMOVQLT(left, valid)
		g.jumpIfAnyBelow(p, valid, true, "done")
		s.ADDQ(operand.U8(s.bytes), p)
		s.SUBQ(operand.U8(s.lanes()), left)
		s.JLE(operand.LabelRef(g.name + "Next"))
		g.jumpIfAny(p, left, "done")
		s.Label(g.name + "Next")
		s.ADDQ(operand.U8(rowsOfGroup), row)
		s.JMP(operand.LabelRef(g.name))
	})
	s.Label("done")
	s.Store(row, s.ReturnIndex(0))
	s.leave()
}

func (s vectors) screenRows() {
	name := "screenRows" + s.isa
	s.function(name, "func(rows, columns []uint32, from int, limit uint64) int",
		name+" returns the first of the rows from, from+4 and so on that may be, or have among the three rows behind it, one that differs from a column in at most "+
			"limit bits; len(rows) or more if there is none. The last rows are screened together with those in front of them. There are 4 rows or more, and the limit "+
			"is at most 31.")
	rows, n := s.slice("rows")
	columns, width := s.slice("columns")
	row := s.param("from")
	lastGroup := s.GP64()
	s.LEAQ(operand.Mem{Base: n, Disp: -rowsOfGroup}, lastGroup)
	s.screen(func(g *group) {
		s.Label(g.name)
		s.CMPQ(row, n)
		s.JGE(operand.LabelRef("done"))
		s.Comment("Four rows.")
		at, left, p := s.GP64(), s.GP64(), s.GP64()
		s.MOVQ(row, at)
		s.CMPQ(at, lastGroup)
		s.CMOVQGT(lastGroup, at)
		s.LEAQ(operand.Mem{Base: rows, Index: at, Scale: joinLane}, p)
		g.rows(p)
		s.MOVQ(columns, p)
		s.MOVQ(width, left)
		g.jumpIfAny(p, left, "done")
		s.ADDQ(operand.U8(rowsOfGroup), row)
		s.JMP(operand.LabelRef(g.name))
	})
	s.Label("done")
	s.Store(row, s.ReturnIndex(0))
	s.leave()
}

// screen emits the loop over groups in each form that screening takes.
func (s vectors) screen(loop func(g *group)) {
	if s.popcnt() {
		loop(newGroup(s, "counts", newCounter(s, 32)))
		return
	}
	limit := s.GP64()
	s.Load(s.Param("limit"), limit)
	s.CMPQ(limit, operand.U8(fewLimit))
	s.JA(operand.LabelRef("many"))
	s.Comment("Few bits: clear them.")
	loop(newGroup(s, "few", nil))
	s.Label("many")
	s.Comment("Many bits: count them.")
	loop(newGroup(s, "counts", newCounter(s, 32)))
}
