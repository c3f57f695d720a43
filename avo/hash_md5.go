package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

var _ = hashes(hashFile{name: "md5", emit: emitMD5, neon: true, ops: []hashOp{
	{"md5", "md5", 2, withCounter, nil},
}})

func emitMD5(h hashLanes) {
	if h.bytes == 64 {
		md5(h).emit(4, 2, 1)
	} else {
		md5(h).emit(2, 1)
	}
}

func md5(h hashLanes) *hashDigest {
	return &hashDigest{hashLanes: h, op: "md5", start: []uint32{0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476}, numbers: 64, steps: 64, step: md5Step}
}

var (
	md5Rotations = [4][4]int{{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}}
	// md5Words returns, for each round, the word of the block that step i adds.
	md5Words = [4]func(i int) int{
		func(i int) int { return i }, func(i int) int { return (5*i + 1) % 16 }, func(i int) int { return (3*i + 5) % 16 }, func(i int) int { return 7 * i % 16 },
	}
	// Truth tables of the four functions of b, c and d, in this order.
	md5Ternary = [4]uint64{ternaryChoice, 0xE4, ternaryXor3, 0x39}
)

// md5Step computes step i: a = b + (a + function(b, c, d) + number + word, rotated). Then the four
// variables exchange their roles. If the word is not part of the key, the number contains it.
func md5Step(m *hashDigest, g *digestGroup, i int) {
	round := i / 16
	a, b, c, d := g.state[(64-i)%4], g.state[(65-i)%4], g.state[(66-i)%4], g.state[(67-i)%4]
	m.addEach32(m.number(i), a)
	if word := md5Words[round](i % 16); word < 2 {
		m.VPADDD(m.word(g, word), a, a)
	}
	if m.bytes == 64 {
		m.VPADDD(m.ternary(md5Ternary[round], b, c, d), a, a)
	} else {
		m.addMD5Function(g, i, a, b, c, d)
	}
	m.rotate32(a, md5Rotations[round][i%4])
	m.VPADDD(b, a, a)
}

// addMD5Function adds the function of the round to a without ternary logic.
func (m *hashDigest) addMD5Function(g *digestGroup, i int, a, b, c, d reg.VecVirtual) {
	t := m.register()
	switch i / 16 {
	case 0: // b selects c or d
		m.VPXOR(c, d, t)
		m.VPAND(b, t, t)
		m.VPXOR(d, t, t)
		m.VPADDD(t, a, a)
	case 1:
		// d selects b or c. The two parts have no bit in common, so they can be added, and only the
		// part with b waits for b.
		m.VPANDN(c, d, t)
		m.VPADDD(t, a, a)
		u := m.register()
		m.VPAND(b, d, u)
		m.VPADDD(u, a, a)
	case 2: // b ^ c ^ d, where b ^ c is c ^ d of the next step
		if g.before == nil {
			g.before = m.register()
			m.VPXOR(b, c, g.before)
			m.VPXOR(d, g.before, t)
		} else {
			m.VPXOR(b, g.before, t)
			g.before = nil
		}
		m.VPADDD(t, a, a)
	case 3: // c ^ (b | ^d), the complement of c ^ (d &^ b), and -x is ^x + 1
		m.VPANDN(d, b, t)
		m.VPXOR(c, t, t)
		m.VPSUBD(t, a, a)
	}
}

// rotate32 rotates lanes of 32 bits left.
func (m *hashDigest) rotate32(r reg.VecVirtual, by int) {
	switch {
	case m.bytes == 64:
		m.VPROLD(operand.U8(by), r, r)
	case by == 16:
		m.VPSHUFB(m.builder.bytes("rotate16", 32, func(i int) uint8 { return uint8(i%16 ^ 2) }), r, r)
	default:
		t := m.register()
		m.VPSRLD(operand.U8(32-by), r, t)
		m.VPSLLD(operand.U8(by), r, r)
		m.VPOR(t, r, r)
	}
}
