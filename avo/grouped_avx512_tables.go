package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// tables returns a function that turns eight weights into the tables of their two groups. A table
// of 64-bit elements takes two registers. Entry t of a table is the sum of entry t&3 of its first
// pair, ±w0 ±w1, and entry t>>2 of its second pair.
func (g grouped) tables() func(w reg.VecVirtual) [2][]reg.VecVirtual {
	if g.bits == 32 {
		return g.tables32()
	}
	return g.tables64()
}

// pairs returns a function that computes the sums of pairs: elements 4p..4p+3 of the result are
// ±w[even(p)] ±w[odd(p)]. Bit 0 of the element's number gives the sign of the first weight, and bit
// 1 that of the second.
func (g grouped) pairs(even, odd operand.Mem) func(w reg.VecVirtual) reg.VecVirtual {
	b := g.builder
	from := [2]reg.VecVirtual{b.load512(even), b.load512(odd)}
	var negate [2]func(r reg.VecVirtual)
	zero := reg.VecVirtual(nil)
	if !g.float {
		zero = b.zero512()
	}
	for s := range negate {
		switch {
		case g.float && g.bits == 32:
			signs := b.load512(b.words32(label("signs32_", s), 16, func(e int) uint32 { return uint32(^e>>s&1) << 31 }))
			negate[s] = func(r reg.VecVirtual) { b.VPXORD(signs, r, r) }
		case g.float:
			signs := b.load512(b.words64(label("signs64_", s), 8, func(e int) uint64 { return uint64(^e>>s&1) << 63 }))
			negate[s] = func(r reg.VecVirtual) { b.VPXORQ(signs, r, r) }
		default:
			k := b.maskOf(func(e int) bool { return e>>s&1 == 0 })
			negate[s] = func(r reg.VecVirtual) { b.VPSUBQ(r, zero, k, r) }
		}
	}
	return func(w reg.VecVirtual) reg.VecVirtual {
		var r [2]reg.VecVirtual
		for s := range r {
			r[s] = b.ZMM()
			if g.bits == 32 {
				b.VPERMD(w, from[s], r[s])
			} else {
				b.VPERMQ(w, from[s], r[s])
			}
			negate[s](r[s])
		}
		g.plus(r[0], r[1])
		return r[1]
	}
}

func (g grouped) tables32() func(w reg.VecVirtual) [2][]reg.VecVirtual {
	b := g.builder
	pairs := g.pairs(
		b.words32("evenWeights", 16, func(e int) uint32 { return uint32(e / 4 * 2) }),
		b.words32("oddWeights", 16, func(e int) uint32 { return uint32(e/4*2 + 1) }))
	var high [2]reg.VecVirtual
	for group := range high {
		high[group] = b.load512(b.words32(label("highPair32_", group), 16, func(t int) uint32 { return uint32(8*group + 4 + t/4) }))
	}
	return func(w reg.VecVirtual) (table [2][]reg.VecVirtual) {
		b.Comment("The 4 sums of each pair of weights, then the 16 of each group.")
		p := pairs(w)
		for group := range table {
			low, sum := b.ZMM(), b.ZMM()
			b.VSHUFI32X4(operand.U8(0xAA*group), p, p, low) // the group's first pair four times
			b.VPERMD(p, high[group], sum)
			g.plus(low, sum)
			table[group] = []reg.VecVirtual{sum}
		}
		return table
	}
}

func (g grouped) tables64() func(w reg.VecVirtual) [2][]reg.VecVirtual {
	b := g.builder
	var pairs [2]func(w reg.VecVirtual) reg.VecVirtual
	for group := range pairs {
		pairs[group] = g.pairs(
			b.words64(label("evenWeights64_", group), 8, func(e int) uint64 { return uint64(4*group + e/4*2) }),
			b.words64(label("oddWeights64_", group), 8, func(e int) uint64 { return uint64(4*group + e/4*2 + 1) }))
	}
	var high [2]reg.VecVirtual
	for half := range high {
		high[half] = b.load512(b.words64(label("highPair64_", half), 8, func(t int) uint64 { return uint64(4 + 2*half + t/4) }))
	}
	return func(w reg.VecVirtual) (table [2][]reg.VecVirtual) {
		for group := range table {
			b.Comment(label("The 4 sums of each pair of weights, then the 16 of group ", group) + ".")
			p, low := pairs[group](w), b.ZMM()
			b.VSHUFI64X2(operand.U8(0x44), p, p, low) // the first pair twice
			for half := range high {
				sum := b.ZMM()
				b.VPERMQ(p, high[half], sum)
				g.plus(low, sum)
				table[group] = append(table[group], sum)
			}
		}
		return table
	}
}
