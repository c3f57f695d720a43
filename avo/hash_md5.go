package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func emitMD5AVX2(b *builder)   { hashMD5{hashLanes: hashAVX2(b)}.emit(2, 1) }
func emitMD5AVX512(b *builder) { hashMD5{hashLanes: hashAVX512(b)}.emit(4, 2, 1) }

var (
	md5Start     = [4]uint32{0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476}
	md5Rotations = [4][4]int{{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}}
	// md5Words says which word of the block a step of each round takes.
	md5Words = [4]func(i int) int{
		func(i int) int { return i }, func(i int) int { return (5*i + 1) % 16 }, func(i int) int { return (3*i + 5) % 16 }, func(i int) int { return 7 * i % 16 },
	}
	// What words of the block are not 0, besides the key's: the one bit that ends the message, and its length.
	md5Padding = map[int]uint32{2: 0x80, 14: 64}
	// Truth tables of the four functions of b, c and d, in this order.
	md5Ternary = [4]uint64{0xCA, 0xE4, ternaryXor3, 0x39}
)

// hashMD5 hashes groups of keys, one lane of 32 bits a key, several groups in flight.
type hashMD5 struct {
	hashLanes
	odd []reg.OpmaskVirtual // the odd lanes of 32 bits, and the even ones
}

// md5Group is the state of one group, and the key's halves.
type md5Group struct {
	state [4]reg.VecVirtual // a, b, c, d
	words [2]reg.VecVirtual
	// parity is b ^ c of the step before, which is c ^ d of this one.
	parity reg.VecVirtual
}

// emit emits the kernel for numbers of groups in flight, the greatest first.
func (m hashMD5) emit(flights ...int) {
	name, number := "md5"+m.isa, ""
	if m.vectors.bytes == 32 {
		number = ", whose number is a multiple of 8"
	}
	m.function(name, "func(low, high, keys []uint64)", name+" hashes the keys"+number+", into the first and the second words of the digests. It works like md5Generic.")
	low := m.Load(m.Param("low").Base(), m.GP64()).(reg.GPVirtual)
	high := m.Load(m.Param("high").Base(), m.GP64()).(reg.GPVirtual)
	from := m.Load(m.Param("keys").Base(), m.GP64()).(reg.GPVirtual)
	n := m.Load(m.Param("keys").Len(), m.GP64()).(reg.GPVirtual)
	keys := 2 * m.vectors.words() // of a group
	if m.vectors.bytes == 64 {
		for _, lanes := range []uint64{0xAAAA, 0x5555} {
			k := m.K()
			m.KMOVW(m.immediate(lanes).As32(), k)
			m.odd = append(m.odd, k)
		}
	}
	m.Label("next")
	for i, flight := range flights {
		last := i == len(flights)-1
		if !last {
			// A kernel that takes any number of keys does those that do not fill the groups by the least number of groups that has room for them.
			least := flight * keys
			if i > 0 {
				least = flights[i+1]*keys + 1
			}
			m.CMPQ(n, operand.U8(least))
			m.JL(operand.LabelRef(label("fewerThan", least)))
			m.block(flight, low, high, from, n, i > 0)
			m.JMP(operand.LabelRef("next"))
			m.Label(label("fewerThan", least))
			continue
		}
		m.TESTQ(n, n)
		m.JLE(operand.LabelRef("done"))
		masked := m.vectors.bytes == 64
		m.block(flight, low, high, from, n, masked)
		if !masked { // where there are masks, these were the last keys
			m.JMP(operand.LabelRef("next"))
		}
	}
	m.Label("done")
	m.VZEROUPPER()
	m.RET()
}

// block hashes the keys of that many groups, of which the last need not be full if some are masked.
func (m hashMD5) block(flight int, low, high, from, n reg.GPVirtual, masked bool) {
	registers := 2 * flight
	masks := make([]reg.OpmaskVirtual, registers)
	if masked {
		bits := m.immediate(1<<64 - 1)
		m.BZHIQ(n, bits, bits)
		for i := range masks {
			masks[i] = m.K()
			m.KMOVB(bits.As32(), masks[i])
			if i < registers-1 {
				m.SHRQ(operand.U8(8), bits)
			}
		}
	}
	at := func(base reg.GPVirtual, i int) operand.Mem { return operand.Mem{Base: base, Disp: i * m.vectors.bytes} }
	load := func(i int) reg.VecVirtual {
		if !masked {
			return m.load(at(from, i))
		}
		r := m.ZMM()
		m.VMOVDQU64_Z(at(from, i), masks[i], r)
		return r
	}
	store := func(r reg.VecVirtual, base reg.GPVirtual, i int) {
		if masked {
			m.VMOVDQU64(r, masks[i], at(base, i))
		} else {
			m.store(r, at(base, i))
		}
	}
	groups := make([]*md5Group, flight)
	for i := range groups {
		g := &md5Group{}
		x, y := load(2*i), load(2*i+1)
		g.words[0], g.words[1] = m.interleave(x, y)
		groups[i] = g
	}
	for i, g := range groups {
		for j := range g.state {
			if i == 0 {
				g.state[j] = m.load(m.each32(label("start", j), md5Start[j]))
			} else {
				g.state[j] = m.register()
				m.copy(groups[0].state[j], g.state[j])
			}
		}
	}
	for i := range 64 {
		for _, g := range groups {
			m.step(g, i)
		}
	}
	for i, g := range groups {
		for j, r := range g.state {
			m.VPADDD(m.each32(label("start", j), md5Start[j]), r, r)
		}
		for half, base := range []reg.GPVirtual{low, high} {
			x, y := m.interleave(g.state[2*half], g.state[2*half+1])
			store(x, base, 2*i)
			store(y, base, 2*i+1)
		}
	}
	for _, base := range []reg.GPVirtual{low, high, from} {
		m.ADDQ(operand.U32(registers*m.vectors.bytes), base)
	}
	m.SUBQ(operand.U8(registers*m.vectors.words()), n)
}

// interleave returns the even lanes of 32 bits of x and, between them, those of y, and the odd lanes likewise. It undoes itself.
func (m hashMD5) interleave(x, y reg.VecVirtual) (even, odd reg.VecVirtual) {
	const fromEven, fromOdd = 0xA0, 0xF5
	if m.vectors.bytes == 64 {
		even = m.register()
		m.copy(x, even)
		m.VPSHUFD(operand.U8(fromEven), y, m.odd[0], even)
		m.VPSHUFD(operand.U8(fromOdd), x, m.odd[1], y)
		return even, y
	}
	even, odd = m.register(), m.register()
	m.VPSHUFD(operand.U8(fromEven), y, even)
	m.VPBLENDD(operand.U8(0xAA), even, x, even)
	m.VPSHUFD(operand.U8(fromOdd), x, odd)
	m.VPBLENDD(operand.U8(0xAA), y, odd, odd)
	return even, odd
}
