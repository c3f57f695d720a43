package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

var _ = hashes(hashFile{name: "lookup3", emit: hashLanes.lookup3, neon: true, ops: []hashOp{
	{"lookup3", "lookup3", 1, seeded, &dispatch{prepare: "start, third := lookup3Twice(seed)", args: "start, third", leastAVX512: 4, leastAVX2: 4}},
}})

// lookup3 computes with 32-bit words: one register holds the lower halves of the keys of two
// registers, and another their upper halves. The two words begin with start, and the third word
// with third. Both parameters are given twice in a word of 64 bits.
func (h hashLanes) lookup3() {
	var start, third reg.VecVirtual
	prepare := func() {
		start, third = h.broadcast("start"), h.broadcast("third")
	}
	flight := h.bytes / 8
	h.emit("lookup3", ", start, third uint64", flight, prepare, func(x []reg.VecVirtual) {
		type words struct{ a, b, c reg.VecVirtual }
		var pairs []words
		for i := 0; i < len(x); i += 2 {
			w := words{h.register(), h.register(), h.register()}
			first, second := x[i], x[min(i+1, len(x)-1)] // a single register is its own partner
			h.VSHUFPS(operand.U8(0x88), second, first, w.a)
			h.VSHUFPS(operand.U8(0xDD), second, first, w.b)
			h.VPADDD(start, w.a, w.a)
			h.VPADDD(start, w.b, w.b)
			pairs = append(pairs, w)
		}
		// step replaces to by (to ^ from) minus from rotated.
		step := func(to, from func(w words) reg.VecVirtual, by int) {
			for _, w := range pairs {
				h.xor(from(w), to(w), to(w))
				h.minusRotated32(to(w), from(w), by)
			}
		}
		a, b, c := func(w words) reg.VecVirtual { return w.a }, func(w words) reg.VecVirtual { return w.b }, func(w words) reg.VecVirtual { return w.c }
		h.Comment("The final mixing; c starts from a constant.")
		for _, w := range pairs {
			h.xor(third, w.b, w.c)
			h.minusRotated32(w.c, w.b, 14)
		}
		step(a, c, 11)
		step(b, a, 25)
		step(c, b, 16)
		step(a, c, 4)
		step(b, a, 14)
		step(c, b, 24)
		h.Comment("The codes are c and b.")
		for i, w := range pairs {
			h.VPUNPCKLDQ(w.c, w.b, x[2*i])
			if 2*i+1 < len(x) {
				h.VPUNPCKHDQ(w.c, w.b, x[2*i+1])
			}
		}
	})
}
