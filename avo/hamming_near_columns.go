package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// nearColumns emits the kernel that finds the columns of a row.
func (s nearForm) nearColumns() {
	name := "nearColumns" + s.isa
	s.function(name, "func(bits *[16]uint64, columns []uint32, row uint32, limit uint64)",
		name+" leaves one bit for each of the columns, which is 1 if it differs from the row in at most limit bits. What it leaves behind the bit of the last column "+
			"means nothing. There are at most 1024 columns, and the limit is at most 31.")
	bits := s.Load(s.Param("bits"), s.GP64()).(reg.GPVirtual)
	p := s.Load(s.Param("columns").Base(), s.GP64()).(reg.GPVirtual)
	n := s.Load(s.Param("columns").Len(), s.GP64()).(reg.GPVirtual)
	row, word := s.register(), s.Load(s.Param("row"), s.GP32())
	s.VMOVD(word, row.AsX())
	s.VPBROADCASTD(row.AsX(), row)
	c := newCounter(s.vectors, s.popcnt, 32, s.address("limit"))
	if s.bytes == 32 {
		s.VPSUBD(s.vectors.ones(), c.limit, c.limit)
	}
	// store leaves the bits of a register of columns.
	store := func(columns operand.Op) {
		x := s.register()
		s.xor(columns, row, x)
		c.ones(x)
		near := s.GP64()
		if s.bytes == 32 {
			s.VPCMPGTD(x, c.limit, x)
			s.VMOVMSKPS(x, near.As32())
			s.MOVB(near.As8(), operand.Mem{Base: bits})
			return
		}
		k := s.K()
		s.VPCMPUD(operand.U8(compareAtMost), c.limit, x, k)
		s.KMOVW(k, near.As32())
		s.MOVW(near.As16(), operand.Mem{Base: bits})
	}
	s.SUBQ(operand.U8(s.lanes()), n)
	s.JL(operand.LabelRef("rest"))
	s.Label("whole")
	store(operand.Mem{Base: p})
	s.ADDQ(operand.U8(s.bytes), p)
	s.ADDQ(operand.U8(s.lanes()/8), bits)
	s.SUBQ(operand.U8(s.lanes()), n)
	s.JGE(operand.LabelRef("whole"))
	s.Label("rest")
	s.ADDQ(operand.U8(s.lanes()), n)
	s.JZ(operand.LabelRef("done"))
	columns, _ := s.loadColumns(p, n)
	store(columns)
	s.Label("done")
	s.VZEROUPPER()
	s.RET()
}
