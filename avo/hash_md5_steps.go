package main

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// step does step i: a = b + (a + function(b, c, d) + number + word, rotated), and the four change their roles.
func (m hashMD5) step(g *md5Group, i int) {
	round := i / 16
	a, b, c, d := g.state[(64-i)%4], g.state[(65-i)%4], g.state[(66-i)%4], g.state[(67-i)%4]
	number := uint32(math.Floor(math.Abs(math.Sin(float64(i+1))) * (1 << 32)))
	word := md5Words[round](i % 16)
	number += md5Padding[word]
	if m.vectors.bytes == 64 {
		t := m.ZMM()
		m.copy(b, t)
		m.VPADDD_BCST(m.words32(fmt.Sprintf("number%d", i), 1, func(int) uint32 { return number }), a, a)
		m.VPTERNLOGD(operand.U8(md5Ternary[round]), d, c, t)
		if word < 2 {
			m.VPADDD(g.words[word], a, a)
		}
		m.VPADDD(t, a, a)
		m.VPROLD(operand.U8(md5Rotations[round][i%4]), a, a)
		m.VPADDD(b, a, a)
		return
	}
	if round == 3 {
		number-- // because the function is subtracted as its complement: -x is ^x + 1
	}
	m.VPADDD(m.each32(fmt.Sprintf("number%d", i), number), a, a)
	if word < 2 {
		m.VPADDD(g.words[word], a, a)
	}
	m.addFunction(g, i, a, b, c, d)
	m.rotate32(a, md5Rotations[round][i%4])
	m.VPADDD(b, a, a)
}

// addFunction adds the function of the round to a without ternary logic.
func (m hashMD5) addFunction(g *md5Group, i int, a, b, c, d reg.VecVirtual) {
	t := m.register()
	switch i / 16 {
	case 0: // b selects c or d
		m.VPXOR(c, d, t)
		m.VPAND(b, t, t)
		m.VPXOR(d, t, t)
		m.VPADDD(t, a, a)
	case 1: // d selects b or c: no bit is in both, so that they can be added, and only the latter waits for b
		m.VPANDN(c, d, t)
		m.VPADDD(t, a, a)
		u := m.register()
		m.VPAND(b, d, u)
		m.VPADDD(u, a, a)
	case 2: // b ^ c ^ d
		if g.parity == nil {
			g.parity = m.register()
			m.VPXOR(b, c, g.parity)
			m.VPXOR(d, g.parity, t)
		} else {
			m.VPXOR(b, g.parity, t)
			g.parity = nil
		}
		m.VPADDD(t, a, a)
	case 3: // c ^ (b | ^d), the complement of c ^ (d &^ b)
		m.VPANDN(d, b, t)
		m.VPXOR(c, t, t)
		m.VPSUBD(t, a, a)
	}
}

// rotate32 rotates lanes of 32 bits left, without AVX-512.
func (m hashMD5) rotate32(r reg.VecVirtual, by int) {
	if by == 16 {
		m.VPSHUFB(m.builder.bytes("rotate16", 32, func(i int) uint8 { return uint8(i%16 ^ 2) }), r, r)
		return
	}
	t := m.register()
	m.VPSRLD(operand.U8(32-by), r, t)
	m.VPSLLD(operand.U8(by), r, r)
	m.VPOR(t, r, r)
}

// each32 returns a constant that is the word in every lane of 32 bits.
func (v vectors) each32(name string, word uint32) operand.Mem {
	return v.words32(name, v.bytes/4, func(int) uint32 { return word })
}

// copy leaves from in to.
func (v vectors) copy(from, to reg.VecVirtual) {
	if v.bytes == 64 {
		v.VMOVDQA64(from, to)
	} else {
		v.VMOVDQA(from, to)
	}
}
