package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// group screens the words of four rows against registers of columns.
type group struct {
	vectors
	name    string
	counter *counter       // nil if bits are cleared instead of counted
	ones    reg.VecVirtual // all bits set
	beyond  reg.VecVirtual // AVX2: limit+1, above all near counts; 0 if bits are cleared
	row     [rowsOfGroup]reg.VecVirtual
	before  [rowsOfGroup]reg.VecVirtual // for pairs: all bits set for the columns before column i
}

func newGroup(s vectors, name string, c *counter) *group {
	g := &group{vectors: s, name: name, counter: c}
	if c == nil || s.bytes == 32 {
		g.ones = s.ones()
	}
	for i := range g.row {
		g.row[i] = s.register()
	}
	switch {
	case s.bytes == 64:
	case c == nil:
		g.beyond = s.zero()
	default:
		g.beyond = c.limit
		s.VPSUBD(g.ones, g.beyond, g.beyond)
	}
	return g
}

// rows loads the words of the rows.
func (g *group) rows(p reg.GPVirtual) {
	for i, r := range g.row {
		g.VPBROADCASTD(operand.Mem{Base: p, Disp: joinLane * i}, r)
	}
}

// least returns a register with, for each column, the smallest number of bits in which it differs
// from one of the rows, or, if bits are cleared, a number that is 0 if the column is near. If
// diagonal is set, row i rules out the columns before column i.
func (g *group) least(columns operand.Op, diagonal bool) (least reg.VecVirtual) {
	for i, r := range g.row {
		x := g.register()
		g.xor(columns, r, x)
		if diagonal && i > 0 {
			g.or(g.before[i], x, x)
		}
		least = g.lesser(g.few(x), least)
	}
	return least
}

// few replaces each lane of x by its number of ones or, if bits are cleared, by the remaining ones.
func (g *group) few(x reg.VecVirtual) reg.VecVirtual {
	if g.counter != nil {
		g.counter.ones(x)
		return x
	}
	for range fewLimit {
		lowest := g.register()
		g.VPADDD(g.ones, x, lowest)
		g.and(lowest, x, x)
	}
	return x
}

// lesser returns the smaller of x and y for each lane, or x if there is no y.
func (g *group) lesser(x, y reg.VecVirtual) reg.VecVirtual {
	if y == nil {
		return x
	}
	g.VPMINUD(x, y, y)
	return y
}

// loadBefore loads the masks of the columns that a diagonal rules out. Loading 16 bytes sets the
// rest of a register to 0.
func (g *group) loadBefore() {
	steps := g.words32("before", 7, func(i int) uint32 {
		if i < rowsOfGroup-1 {
			return 1<<32 - 1
		}
		return 0
	})
	for i := 1; i < rowsOfGroup; i++ {
		g.before[i] = g.register()
		g.VMOVDQU(steps.Offset(joinLane*(rowsOfGroup-1-i)), g.before[i].AsX())
	}
}

// jumpIfAny jumps if any of the columns is near. left is the number of columns. It changes left and
// p.
func (g *group) jumpIfAny(p, left reg.GPVirtual, to string) {
	g.SUBQ(operand.U8(g.lanes()), left)
	g.JL(operand.LabelRef(g.name + "Rest"))
	g.Label(g.name + "Columns")
	g.jump(g.least(g.load(operand.Mem{Base: p}), false), nil, to)
	g.ADDQ(operand.U8(g.bytes), p)
	g.SUBQ(operand.U8(g.lanes()), left)
	g.JGE(operand.LabelRef(g.name + "Columns"))
	g.Label(g.name + "Rest")
	g.ADDQ(operand.U8(g.lanes()), left)
	g.JZ(operand.LabelRef(g.name + "End"))
	g.jumpIfAnyBelow(p, left, false, to)
	g.Label(g.name + "End")
}

// jumpIfAnyBelow jumps if any of the first n columns is near. n is at most a register of columns.
func (g *group) jumpIfAnyBelow(p, n reg.GPVirtual, diagonal bool, to string) {
	columns, below := g.loadColumns(p, n)
	g.jump(g.least(columns, diagonal), below, to)
}

// loadColumns loads the first n columns, at most a register of them, and returns a mask of them: a
// mask register, or a general one without AVX-512.
func (s vectors) loadColumns(p, n reg.GPVirtual) (columns reg.VecVirtual, below reg.Register) {
	bits := s.immediate(1<<s.lanes() - 1)
	s.BZHIQ(n, bits, bits)
	columns = s.register()
	if s.bytes == 64 {
		k := s.K()
		s.KMOVW(bits.As32(), k)
		s.VMOVDQU32_Z(operand.Mem{Base: p}, k, columns)
		return columns, k
	}
	steps := s.words32("below", 2*s.lanes(), func(i int) uint32 {
		if i < s.lanes() {
			return 1<<32 - 1
		}
		return 0
	})
	base, from := s.GP64(), s.immediate(uint64(s.lanes()))
	s.LEAQ(steps, base)
	s.SUBQ(n, from)
	s.VMOVDQU(operand.Mem{Base: base, Index: from, Scale: joinLane}, columns)
	s.VPMASKMOVD(operand.Mem{Base: p}, columns, columns)
	return columns, bits
}

// jump jumps if any of the columns is near. If there is a mask, only columns in the mask count.
func (g *group) jump(least reg.VecVirtual, below reg.Register, to string) {
	if g.bytes == 64 {
		k := g.nearMask(least, below)
		g.KORTESTW(k, k)
	} else {
		some := g.near(least, below)
		g.TESTL(some.As32(), some.As32())
	}
	g.JNE(operand.LabelRef(to))
}

// near returns a mask of the near columns, restricted to mask if that is not nil.
func (g *group) near(least reg.VecVirtual, below reg.Register) reg.GPVirtual {
	some := g.GP64()
	if g.bytes == 64 {
		g.KMOVW(g.nearMask(least, below), some.As32())
		return some
	}
	if g.counter == nil {
		g.VPCMPEQD(g.beyond, least, least)
	} else {
		g.VPCMPGTD(least, g.beyond, least)
	}
	g.VMOVMSKPS(least, some.As32())
	if below != nil {
		g.ANDL(below.(reg.GPVirtual).As32(), some.As32())
	}
	return some
}

// nearMask is near with AVX-512, in a mask register.
func (g *group) nearMask(least reg.VecVirtual, below reg.Register) reg.OpmaskVirtual {
	k := g.K()
	operands := []operand.Op{least, k}
	if below != nil {
		operands = []operand.Op{least, below, k}
	}
	if g.counter == nil {
		g.VPTESTNMD(append([]operand.Op{least}, operands...)...)
	} else {
		g.VPCMPUD(append([]operand.Op{operand.U8(compareAtMost), g.counter.limit}, operands...)...)
	}
	return k
}
