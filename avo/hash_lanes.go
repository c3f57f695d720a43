package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// hashLanes is a hash with one word per key, computed in lanes of 64 bits, with several registers
// of keys in flight.
type hashLanes struct {
	vectors
	held map[string]reg.VecVirtual // constants in registers, by name
}

func newHashLanes(v vectors) hashLanes { return hashLanes{v, map[string]reg.VecVirtual{}} }

// hashWord is a constant that is used in every lane of 64 bits.
type hashWord struct {
	name  string
	value uint64
}

// emit emits the kernel, with that many registers of keys in flight. prepare loads parameters; body
// turns registers of keys into registers of codes, in place. With AVX-512, the kernel takes any
// number of keys. Otherwise, the number must be a multiple of the keys of a register.
func (h hashLanes) emit(op, parameters string, flight int, prepare func(), body func(x []reg.VecVirtual)) {
	h.emitWords(op, parameters, 1, flight, prepare, func(x []reg.VecVirtual) [][]reg.VecVirtual {
		body(x)
		return [][]reg.VecVirtual{x}
	})
}

// emitWords is emit for codes of one or two words. body returns the registers by word. For two
// words, a parameter of the kernel is the distance between the first and the second words.
func (h hashLanes) emitWords(op, parameters string, words, flight int, prepare func(), body func(x []reg.VecVirtual) [][]reg.VecVirtual) {
	name, number, second := op+h.isa, "", ""
	if h.bytes == 32 {
		number = ", whose number is a multiple of 4"
	}
	if words == 2 {
		parameters = ", stride int" + parameters
		second = " Word 1 of the code of keys[i] goes to dst[stride+i]."
	}
	h.function(name, "func(dst, keys []uint64"+parameters+")", name+" hashes the keys"+number+"."+second+" It works like "+op+"Generic.")
	to := h.base("dst")
	from, n := h.slice("keys")
	at := func(base reg.GPVirtual, i int) operand.Mem { return operand.Mem{Base: base, Disp: i * h.bytes} }
	places := []func(i int) operand.Mem{func(i int) operand.Mem { return at(to, i) }}
	if words == 2 {
		stride := h.param("stride")
		places = append(places, func(i int) operand.Mem {
			return operand.Mem{Base: to, Index: stride, Scale: 8, Disp: i * h.bytes}
		})
	}
	h.Comment("Parameters and constants.")
	prepare()
	step := func(registers int, load func(i int) reg.VecVirtual, store func(r reg.VecVirtual, to operand.Mem)) {
		x := make([]reg.VecVirtual, registers)
		for i := range x {
			x[i] = load(i)
		}
		for word, codes := range body(x) {
			for i, r := range codes {
				store(r, places[word](i))
			}
		}
		h.ADDQ(operand.U32(registers*h.bytes), from)
		h.ADDQ(operand.U32(registers*h.bytes), to)
		h.SUBQ(operand.U8(registers*h.words()), n)
	}
	load := func(i int) reg.VecVirtual { return h.load(at(from, i)) }

	h.CMPQ(n, operand.U8(flight*h.words()))
	h.JL(operand.LabelRef("single"))
	h.Label("many")
	h.Comment(label("", flight) + " registers of keys.")
	step(flight, load, h.store)
	h.CMPQ(n, operand.U8(flight*h.words()))
	h.JGE(operand.LabelRef("many"))
	h.Label("single")
	h.TESTQ(n, n)
	h.JLE(operand.LabelRef("done"))
	h.Comment("A register of keys, or the rest.")
	store := h.store
	if h.bytes == 64 {
		k := h.maskBelow(n)
		load = func(i int) reg.VecVirtual {
			r := h.ZMM()
			h.VMOVDQU64_Z(at(from, i), k, r)
			return r
		}
		store = func(r reg.VecVirtual, to operand.Mem) { h.VMOVDQU64(r, k, to) }
	}
	step(1, load, store)
	h.JMP(operand.LabelRef("single"))
	h.Label("done")
	h.leave()
}

func (v vectors) store(r reg.VecVirtual, to operand.Mem) {
	if v.bytes == 64 {
		v.VMOVDQU64(r, to)
	} else {
		v.VMOVDQU(r, to)
	}
}

// hold keeps the constants in registers if there are 32 registers. With that many, a constant in
// memory is so long that it may cross two cache lines.
func (h hashLanes) hold(words ...hashWord) {
	if h.bytes == 32 {
		return
	}
	for _, w := range words {
		h.held[w.name] = h.ZMM()
		h.VPBROADCASTQ(h.words64(w.name, 1, func(int) uint64 { return w.value }), h.held[w.name])
	}
}

// each returns the constant for every lane of 64 bits.
func (h hashLanes) each(w hashWord) operand.Op {
	if r, ok := h.held[w.name]; ok {
		return r
	}
	return h.words64(w.name, h.words(), func(int) uint64 { return w.value })
}

// bytes16 returns an operand in which bytes i, i+16, i+32 and i+48 are f(i). For 64 bytes, it is a
// register loaded from 16 bytes. The linker aligns a constant of 64 bytes only to 32, so it may
// cross two pages, which makes loading it many times slower.
func (v vectors) bytes16(name string, f func(i int) uint8) operand.Op {
	if v.bytes == 32 {
		return v.builder.bytes(name, 32, func(i int) uint8 { return f(i % 16) })
	}
	r := v.ZMM()
	v.VBROADCASTI32X4(v.builder.bytes(name, 16, f), r)
	return r
}

// broadcast returns a register with the parameter in every lane of 64 bits.
func (h hashLanes) broadcast(parameter string) reg.VecVirtual {
	r := h.register()
	h.VPBROADCASTQ(h.address(parameter), r)
	return r
}

// xorShift replaces every r by r ^ r>>by.
func (h hashLanes) xorShift(x []reg.VecVirtual, by int) {
	for _, r := range x {
		t := h.register()
		h.VPSRLQ(operand.U8(by), r, t)
		h.xor(t, r, r)
	}
}

// rotate rotates every r left.
func (h hashLanes) rotate(x []reg.VecVirtual, by int) {
	for _, r := range x {
		if h.bytes == 64 {
			h.VPROLQ(operand.U8(by), r, r)
			continue
		}
		t := h.register()
		h.VPSRLQ(operand.U8(64-by), r, t)
		h.VPSLLQ(operand.U8(by), r, r)
		h.or(t, r, r)
	}
}

// multiply replaces every r by r·w. AVX2 has no such product. It is the product of the lower halves
// plus the lower halves of the two mixed products, shifted up.
func (h hashLanes) multiply(x []reg.VecVirtual, w hashWord) {
	if h.bytes == 64 {
		for _, r := range x {
			h.VPMULLQ(h.each(w), r, r)
		}
		return
	}
	upperOfWord := hashWord{w.name + "Upper", w.value >> 32}
	for _, r := range x {
		mixed, t := h.register(), h.register()
		h.VPSHUFD(operand.U8(0xF5), r, mixed)
		h.VPMULUDQ(h.each(w), mixed, mixed)
		h.VPMULUDQ(h.each(upperOfWord), r, t)
		h.VPADDQ(t, mixed, mixed)
		h.VPSLLQ(operand.U8(32), mixed, mixed)
		h.VPMULUDQ(h.each(w), r, r)
		h.VPADDQ(mixed, r, r)
	}
}

// exchangeHalves is the order for VPSHUFD that exchanges the halves of 64-bit lanes.
const exchangeHalves = 0xB1

// rotated64 stores r rotated left in to, which may be r. Without an instruction for rotations, it
// shuffles whole bytes.
func (h hashLanes) rotated64(r, to reg.VecVirtual, by int) {
	switch {
	case h.bytes == 64:
		h.VPROLQ(operand.U8(by), r, to)
	case by == 32:
		h.VPSHUFD(operand.U8(exchangeHalves), r, to)
	case by%8 == 0:
		h.VPSHUFB(h.shuffle(label("rotate", by), func(to int) int { return (to + 8 - by/8) % 8 }), r, to)
	default:
		t := h.register()
		h.VPSRLQ(operand.U8(64-by), r, t)
		h.VPSLLQ(operand.U8(by), r, to)
		h.or(t, to, to)
	}
}

// minusRotated32 subtracts x rotated left from r, in lanes of 32 bits.
func (h hashLanes) minusRotated32(r, x reg.VecVirtual, by int) {
	t := h.register()
	switch {
	case h.bytes == 64:
		h.VPROLD(operand.U8(by), x, t)
	case by%8 == 0:
		h.VPSHUFB(h.bytes16(label("rotate32by", by), func(i int) uint8 { return uint8(i&12 + (i+4-by/8)%4) }), x, t)
	default: // the two parts have no bit in common
		h.VPSRLD(operand.U8(32-by), x, t)
		h.VPSUBD(t, r, r)
		h.VPSLLD(operand.U8(by), x, t)
	}
	h.VPSUBD(t, r, r)
}

// xor3 stores a ^ b ^ c in a.
func (h hashLanes) xor3(a, b, c reg.VecVirtual) {
	if h.bytes == 64 {
		h.VPTERNLOGQ(operand.U8(ternaryXor3), c, b, a)
		return
	}
	h.xor(b, a, a)
	h.xor(c, a, a)
}
