package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
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
		s.Comment("Four rows. Their columns start after the first row, and each row masks the columns up to itself.")
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

// group screens the words of four rows against registers of columns.
type group struct {
	vectors
	name    string
	counter *counter       // nil if bits are cleared instead of counted
	ones    reg.VecVirtual // all bits set
	beyond  reg.VecVirtual // AVX2: limit+1, which exceeds all near counts; 0 if bits are cleared
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
	s.Comment("A block that may have hits, or the rest: count column by column.")
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
