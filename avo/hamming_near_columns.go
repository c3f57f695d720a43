package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const columnsOfBlock = 64

// nearColumns emits the kernel that finds the columns of a row. It screens blocks like groups, and
// counts the columns of blocks that may have a hit one by one.
func (s vectors) nearColumns() {
	name := "nearColumns" + s.isa
	s.function(name, "func(columns []uint32, row uint32, limit uint64) (at int, hits uint64)",
		name+" returns the position of the first 64 columns, counted from the start, of which any differs from the row in at most limit bits, and one bit for each of "+
			"them that does; hits is 0 if none does. The last block may be shorter. The limit is at most 31.")
	p, n := s.slice("columns")
	word := s.Load(s.Param("row"), s.GP32())
	start, hits := s.GP64(), s.GP64()
	s.MOVQ(p, start)
	row := s.register()
	s.VMOVD(word, row.AsX())
	s.VPBROADCASTD(row.AsX(), row)
	c := newCounter(s, 32)
	counts := newGroup(s, "counts", c)
	s.CMPQ(n, operand.U8(columnsOfBlock))
	s.JL(operand.LabelRef("exact"))
	if !s.popcnt() {
		limit := s.Load(s.Param("limit"), s.GP64())
		s.CMPQ(limit, operand.U8(fewLimit))
		s.JA(operand.LabelRef("counts"))
		s.screenBlocks(newGroup(s, "few", nil), p, n, row)
		s.JMP(operand.LabelRef("exact"))
	}
	s.screenBlocks(counts, p, n, row)
	s.Label("exact")
	s.Comment("A block that may have hits, or what is left: count column by column.")
	s.exactColumns(counts, p, n, row, hits)
	s.SUBQ(start, p)
	s.SHRQ(operand.U8(2), p)
	s.Store(p, s.Return("at"))
	s.Store(hits, s.Return("hits"))
	s.leave()
}

// screenBlocks jumps to exact at a block that may have hits, and continues after the loop if less
// than a block is left.
func (s vectors) screenBlocks(g *group, p, n reg.GPVirtual, row reg.VecVirtual) {
	s.Label(g.name)
	var least reg.VecVirtual
	for i := range columnsOfBlock / s.lanes() {
		x := s.register()
		s.xor(operand.Mem{Base: p, Disp: s.bytes * i}, row, x)
		least = g.lesser(g.few(x), least)
	}
	g.jump(least, nil, "exact")
	s.ADDQ(operand.U32(columnsOfBlock*joinLane), p)
	s.SUBQ(operand.U8(columnsOfBlock), n)
	s.CMPQ(n, operand.U8(columnsOfBlock))
	s.JGE(operand.LabelRef(g.name))
}

// exactColumns sets one bit in hits for each of the first min(n, 64) columns that is near.
func (s vectors) exactColumns(g *group, p, n reg.GPVirtual, row reg.VecVirtual, hits reg.GPVirtual) {
	left, at, place := s.atMost(n, columnsOfBlock), s.GP64(), s.GP64()
	s.MOVQ(p, at)
	s.XORL(hits.As32(), hits.As32())
	s.XORL(place.As32(), place.As32())
	add := func(columns operand.Op, below reg.Register) {
		x := s.register()
		s.xor(columns, row, x)
		g.counter.ones(x)
		some := g.near(x, below)
		s.SHLXQ(place, some, some)
		s.ORQ(some, hits)
	}
	s.SUBQ(operand.U8(s.lanes()), left)
	s.JL(operand.LabelRef("rest"))
	s.Label("whole")
	add(operand.Mem{Base: at}, nil)
	s.ADDQ(operand.U8(s.bytes), at)
	s.ADDQ(operand.U8(s.lanes()), place)
	s.SUBQ(operand.U8(s.lanes()), left)
	s.JGE(operand.LabelRef("whole"))
	s.Label("rest")
	s.ADDQ(operand.U8(s.lanes()), left)
	s.JZ(operand.LabelRef("done"))
	add(s.loadColumns(at, left))
	s.Label("done")
}
