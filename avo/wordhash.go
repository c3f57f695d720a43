package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// emitWordHashAVX512 emits XXH64 of eight words at a time. It computes each step for all words, and
// masks select the words that are long enough for the step. The kernel stops before a group in
// which a word is too long or too close to the end of the text.
func emitWordHashAVX512(v vectors) {
	h := newHashLanes(v)
	prime1, prime2 := hashWord{"prime1", 0x9E3779B185EBCA87}, hashWord{"prime2", 0xC2B2AE3D27D4EB4F}
	prime3, prime4 := hashWord{"prime3", 0x165667B19E3779F9}, hashWord{"prime4", 0x85EBCA77C2B2AE63}
	prime5 := hashWord{"prime5", 0x27D4EB2F165667C5}
	h.function("xxh64AVX512", "func(dst []uint64, text []byte, words []Span) (n int)", "xxh64AVX512 works like xxh64Generic, eight words at a time.")
	to := h.base("dst")
	text := h.base("text")
	words, left := h.slice("words")
	n := h.GP64()
	h.XORQ(n, n)
	two, three := hashWord{"two", 2}, hashWord{"three", 3}
	four, seven, longest := hashWord{"four", 4}, hashWord{"seven", 7}, hashWord{"longest", 23}
	lowByte, lowWord := hashWord{"lowByte", 0xFF}, hashWord{"lowWord", 1<<32 - 1}
	fifteen := hashWord{"fifteen", 15}
	h.hold(prime1, prime2, prime3, prime4, prime5, two, three, four, seven, fifteen, longest, lowByte, lowWord)
	limit, last := h.length("text"), h.ZMM()
	h.SUBQ(operand.U8(23), limit) // 24 bytes can be read at any lower position
	h.VPBROADCASTQ(limit, last)
	order := h.halves512(h.words64("order", 8, func(i int) uint64 { return uint64(i%4*2 + i/4) }))

	h.Label("loop")
	h.SUBQ(operand.U8(8), left)
	h.JL(operand.LabelRef("done"))
	first, second := h.load(operand.Mem{Base: words}), h.load(operand.Mem{Base: words, Disp: 64})
	from, size := h.ZMM(), h.ZMM()
	h.VPUNPCKLQDQ(second, first, from)
	h.VPUNPCKHQDQ(second, first, size)
	h.VPSUBQ(from, size, size)
	unusual, late := h.K(), h.K()
	h.VPCMPUQ(operand.U8(compareAbove), h.each(longest), size, unusual)
	h.VPCMPQ(operand.U8(compareNotLess), last, from, late)
	h.KORTESTB(late, unusual)
	h.JNZ(operand.LabelRef("done"))

	read := func(disp int, k reg.OpmaskVirtual) reg.VecVirtual {
		r := h.zero512()
		h.VPGATHERQQ(operand.Mem{Base: text, Index: from, Scale: 1, Disp: disp}, k, r)
		return r
	}
	all := func() reg.OpmaskVirtual {
		k := h.K()
		h.KXNORB(k, k, k)
		return k
	}
	word, next := read(0, all()), read(8, all())
	sum := h.ZMM()
	h.VPADDQ(h.each(prime5), size, sum)
	// addEight adds eight bytes to the sums of the lanes in k
	addEight := func(eight reg.VecVirtual, k reg.OpmaskVirtual) {
		r := []reg.VecVirtual{h.ZMM()}
		h.VPMULLQ(h.each(prime2), eight, r[0])
		h.rotate(r, 31)
		h.multiply(r, prime1)
		h.xor(sum, r[0], r[0])
		h.rotate(r, 27)
		h.multiply(r, prime1)
		h.VPADDQ(h.each(prime4), r[0], k, sum)
	}
	long := h.K()
	h.VPCMPUQ(operand.U8(compareAbove), h.each(fifteen), size, long)
	h.KTESTB(long, long)
	h.JZ(operand.LabelRef("short"))
	h.Comment("Words of 16 bytes and more.")
	addEight(word, long)
	h.VMOVDQA64(next, long, word)
	h.VPGATHERQQ(operand.Mem{Base: text, Index: from, Scale: 1, Disp: 16}, long, next)
	h.Label("short")
	eight := h.K()
	h.VPCMPUQ(operand.U8(compareAbove), h.each(seven), size, eight)
	addEight(word, eight)
	h.VMOVDQA64(next, eight, word)

	h.Comment("Four bytes.")
	k := h.K()
	h.VPTESTMQ(h.each(four), size, k)
	r := []reg.VecVirtual{h.ZMM()}
	h.VPANDQ(h.each(lowWord), word, r[0])
	h.multiply(r, prime1)
	h.xor(sum, r[0], r[0])
	h.rotate(r, 23)
	h.multiply(r, prime2)
	h.VPADDQ(h.each(prime3), r[0], k, sum)
	h.VPSRLQ(operand.U8(32), word, k, word)

	h.Comment("Up to three bytes.")
	rest := h.ZMM()
	h.VPANDQ(h.each(three), size, rest)
	for i := range 3 {
		k, r := h.K(), []reg.VecVirtual{h.ZMM()}
		switch i {
		case 0:
			h.VPTESTMQ(rest, rest, k)
		case 1:
			h.VPTESTMQ(h.each(two), rest, k)
		case 2:
			h.VPCMPEQQ(h.each(three), rest, k)
		}
		h.VPANDQ(h.each(lowByte), word, r[0])
		h.multiply(r, prime5)
		h.xor(sum, r[0], r[0])
		h.rotate(r, 11)
		h.VPMULLQ(h.each(prime1), r[0], k, sum)
		if i < 2 {
			h.VPSRLQ(operand.U8(8), word, word)
		}
	}
	h.Comment("Avalanche.")
	s := []reg.VecVirtual{sum}
	h.xorShift(s, 33)
	h.multiply(s, prime2)
	h.xorShift(s, 29)
	h.multiply(s, prime3)
	h.xorShift(s, 32)
	h.VPERMQ(sum, order, sum)
	h.store(sum, operand.Mem{Base: to, Index: n, Scale: 8})
	h.ADDQ(operand.U8(8), n)
	h.SUBQ(operand.I8(-128), words)
	h.JMP(operand.LabelRef("loop"))
	h.Label("done")
	h.Store(n, h.ReturnIndex(0))
	h.leave()
}
