package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

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
	default: // the parts have no bit in common
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
