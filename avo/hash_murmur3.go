package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

var _ = hashes(hashFile{name: "fmix64", emit: hashLanes.fmix64, ops: []hashOp{
	{"fmix64", "fmix64", 1, seeded, &dispatch{args: "fmix64(seed)", leastAVX512: 5, leastAVX2: 8}},
}})

var _ = hashes(hashFile{name: "murmur3", emit: hashLanes.murmur3, ops: []hashOp{
	{"murmur3", "murmur3-128", 2, seeded, &dispatch{args: "len(keys), murmur3Start(seed)", leastAVX512: 2, leastAVX2: 4}},
}})

var _ = hashes(hashFile{name: "murmur32", emit: hashLanes.murmur32, ops: []hashOp{
	{"murmur32", "murmur3-32", 1, seeded, &dispatch{args: "murmur32Twice(seed)", leastAVX512: 6, leastAVX2: 4}},
}})

var fmixFirst, fmixSecond = hashWord{"fmixFirst", 0xFF51AFD7ED558CCD}, hashWord{"fmixSecond", 0xC4CEB9FE1A85EC53}

// fmix applies the finaliser of MurmurHash3 to every x.
func (h hashLanes) fmix(x []reg.VecVirtual) {
	h.xorShift(x, 33)
	h.multiply(x, fmixFirst)
	h.xorShift(x, 33)
	h.multiply(x, fmixSecond)
	h.xorShift(x, 33)
}

// fmix64 computes fmix(key ^ mixed), where mixed is fmix(seed).
func (h hashLanes) fmix64() {
	var mixed reg.VecVirtual
	prepare := func() {
		mixed = h.broadcast("mixed")
		h.hold(fmixFirst, fmixSecond)
	}
	h.emit("fmix64", ", mixed uint64", 8, prepare, func(x []reg.VecVirtual) {
		for _, r := range x {
			h.xor(mixed, r, r)
		}
		h.fmix(x)
	})
}

// murmur3 initialises both halves of the state with start, which is the seed XOR the length.
func (h hashLanes) murmur3() {
	first, second := hashWord{"first", 0x87C37B91114253D5}, hashWord{"second", 0x4CF5AD432745937F}
	var start reg.VecVirtual
	prepare := func() {
		start = h.broadcast("start")
		h.hold(first, second, fmixFirst, fmixSecond)
	}
	flight := h.bytes / 8 // each needs two registers at the end
	h.emitWords("murmur3", ", start uint64", 2, flight, prepare, func(x []reg.VecVirtual) [][]reg.VecVirtual {
		h.Comment("Mix the key as the first word of an incomplete block.")
		h.multiply(x, first)
		h.rotate(x, 31)
		h.multiply(x, second)
		h.Comment("Combine it with one half of the state, and add the halves to each other.")
		y := make([]reg.VecVirtual, len(x))
		for i, r := range x {
			y[i] = h.register()
			h.xor(start, r, r)
			h.VPADDQ(start, r, r)
			h.VPADDQ(start, r, y[i])
		}
		h.Comment("Apply the finaliser to both halves, and add them to each other.")
		h.fmix(x)
		h.fmix(y)
		for i, r := range x {
			h.VPADDQ(y[i], r, r)
			h.VPADDQ(r, y[i], y[i])
		}
		return [][]reg.VecVirtual{x, y}
	})
}

// murmur32 computes with 32-bit words: one register holds the lower halves of the keys of two
// registers, and another their upper halves. The state begins with start, which is given twice in a
// word of 64 bits.
func (h hashLanes) murmur32() {
	twice := func(name string, value uint32) hashWord { return hashWord{name, uint64(value) * (1<<32 + 1)} }
	first, second, added := twice("first", 0xCC9E2D51), twice("second", 0x1B873593), twice("added", 0xE6546B64)
	length, fmixFirst, fmixSecond := twice("length", 8), twice("fmixFirst", 0x85EBCA6B), twice("fmixSecond", 0xC2B2AE35)
	var start, zero reg.VecVirtual
	prepare := func() {
		start = h.broadcast("start")
		zero = h.register()
		h.xor(zero, zero, zero)
		h.hold(first, second, added, length, fmixFirst, fmixSecond)
	}
	h.emit("murmur32", ", start uint64", h.bytes/8, prepare, func(x []reg.VecVirtual) {
		var lower, upper []reg.VecVirtual
		for i := 0; i < len(x); i += 2 {
			low, high := h.register(), h.register()
			last := x[min(i+1, len(x)-1)] // a single register is its own partner
			h.VSHUFPS(operand.U8(0x88), last, x[i], low)
			h.VSHUFPS(operand.U8(0xDD), last, x[i], high)
			lower, upper = append(lower, low), append(upper, high)
		}
		each := func(r []reg.VecVirtual, do func(i int, r reg.VecVirtual)) {
			for i := range r {
				do(i, r[i])
			}
		}
		multiply := func(r []reg.VecVirtual, w hashWord) {
			each(r, func(_ int, r reg.VecVirtual) { h.VPMULLD(h.each(w), r, r) })
		}
		rotate := func(r []reg.VecVirtual, by int) {
			each(r, func(_ int, r reg.VecVirtual) {
				if h.bytes == 64 {
					h.VPROLD(operand.U8(by), r, r)
					return
				}
				t := h.register()
				h.VPSRLD(operand.U8(32-by), r, t)
				h.VPSLLD(operand.U8(by), r, r)
				h.or(t, r, r)
			})
		}
		mix := func(r []reg.VecVirtual) {
			multiply(r, first)
			rotate(r, 15)
			multiply(r, second)
		}
		// combine ends the step of a word: the state is rotated, times 5, plus a constant.
		combine := func(r []reg.VecVirtual) {
			rotate(r, 13)
			each(r, func(_ int, r reg.VecVirtual) {
				t := h.register()
				h.VPSLLD(operand.U8(2), r, t)
				h.VPADDD(h.each(added), r, r)
				h.VPADDD(t, r, r)
			})
		}
		shift := func(r []reg.VecVirtual, by int) {
			each(r, func(_ int, r reg.VecVirtual) {
				t := h.register()
				h.VPSRLD(operand.U8(by), r, t)
				h.xor(t, r, r)
			})
		}
		h.Comment("The lower word of each key.")
		mix(lower)
		each(lower, func(_ int, r reg.VecVirtual) { h.xor(start, r, r) })
		combine(lower)
		h.Comment("The upper word.")
		mix(upper)
		each(upper, func(i int, r reg.VecVirtual) { h.xor(lower[i], r, r) })
		combine(upper)
		h.Comment("The length and the finaliser.")
		each(upper, func(_ int, r reg.VecVirtual) { h.xor(h.each(length), r, r) })
		shift(upper, 16)
		multiply(upper, fmixFirst)
		shift(upper, 13)
		multiply(upper, fmixSecond)
		shift(upper, 16)
		h.Comment("A code is a word of 64 bits.")
		each(upper, func(i int, r reg.VecVirtual) {
			h.VPUNPCKLDQ(zero, r, x[2*i])
			if 2*i+1 < len(x) {
				h.VPUNPCKHDQ(zero, r, x[2*i+1])
			}
		})
	})
}
