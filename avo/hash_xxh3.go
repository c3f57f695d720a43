package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

var _ = hashes(hashFile{name: "xxh3", emit: hashLanes.xxh3, ops: []hashOp{
	{"xxh3", "xxh3", 1, seeded, &dispatch{args: "xxh3Start(seed)", leastAVX512: 5, leastAVX2: 4}},
}})

// xxh3 starts from flip, which combines two words of the secret and the seed. It computes the form
// of XXH3 for keys of 4 to 8 bytes.
func (h hashLanes) xxh3() {
	prime, length := hashWord{"prime", 0x9FB21C651E98DF25}, hashWord{"length", 8}
	var flip reg.VecVirtual
	prepare := func() {
		flip = h.broadcast("flip")
		h.hold(prime, length)
	}
	h.emit("xxh3", ", flip uint64", 6, prepare, func(x []reg.VecVirtual) {
		h.Comment("The key, its halves exchanged, XOR flip.")
		for _, r := range x {
			h.VPSHUFD(operand.U8(exchangeHalves), r, r)
			h.xor(flip, r, r)
		}
		h.Comment("XOR two rotations.")
		for _, r := range x {
			first, second := h.register(), h.register()
			h.rotated64(r, first, 49)
			h.rotated64(r, second, 24)
			h.xor3(r, first, second)
		}
		h.multiply(x, prime)
		h.Comment("XOR the upper bits plus the length.")
		for _, r := range x {
			t := h.register()
			h.VPSRLQ(operand.U8(35), r, t)
			h.VPADDQ(h.each(length), t, t)
			h.xor(t, r, r)
		}
		h.multiply(x, prime)
		h.xorShift(x, 28)
	})
}
