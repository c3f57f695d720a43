package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// finish stores the digest of register i.
func (h hashHighway) finish(s *highwayState, i int, full bool) {
	h.VPADDQ(s.mul0, s.v0, s.v0)
	h.VPADDQ(s.mul1, s.v1, s.v1)
	switch len(h.words) {
	case 1:
		h.VPADDQ(s.v1, s.v0, s.v0)
	case 2: // lanes 2 and 3 of v1 and mul1 go with lanes 0 and 1 of v0 and mul0
		h.VPERMQ(operand.U8(0x4E), s.v1, s.v1)
		h.VPADDQ(s.v1, s.v0, s.v0)
	default:
		h.reduce(s.v0, s.v1)
	}
	at := func(t int) operand.Mem { return operand.Mem{Base: h.words[t], Disp: 8 * i * h.each()} }
	if h.bytes == 32 {
		lanes := s.v0.AsX()
		for t := range h.words {
			if t == 2 {
				h.VEXTRACTI128(operand.U8(1), s.v0, lanes)
			}
			if t%2 == 0 {
				h.VMOVQ(lanes, at(t))
			} else {
				h.VMOVHPD(lanes, at(t))
			}
		}
		return
	}
	// This brings the lanes 0 of the two keys together, and likewise the lanes 1, 2 and 3.
	h.VPERMQ(s.v0, h.pairs, s.v0)
	for t := range h.words {
		if full && t > 0 {
			h.VEXTRACTI64X2(operand.U8(t), s.v0, at(t))
			continue
		}
		lanes := s.v0.AsX()
		if t > 0 { // an extraction to memory would fault at an address that its mask excludes
			x := h.XMM()
			h.VEXTRACTI64X2(operand.U8(t), s.v0, x)
			lanes = x.AsX()
		}
		if full {
			h.VMOVDQU64(lanes, at(t))
		} else {
			h.VMOVDQU64(lanes, h.stored, at(t))
		}
	}
}

// reduce stores the digest of 256 bits in low. Each half is the polynomial high·2^128 + low,
// without its two highest bits, modulo x^128 + x^2 + x.
func (h hashHighway) reduce(low, high reg.VecVirtual) {
	carry := h.register()
	h.VPSLLDQ(operand.U8(8), high, carry)
	h.and(h.bytes16("polynomial", func(i int) uint8 { return ^uint8(0) >> (i / 15 * 2) }), high, high)
	for _, by := range []int{1, 2} {
		t, c := h.register(), h.register()
		h.VPSLLQ(operand.U8(by), high, t)
		h.xor(t, low, low)
		h.VPSRLQ(operand.U8(64-by), carry, c)
		h.xor(c, low, low)
	}
}
