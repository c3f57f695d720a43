package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

var _ = hashes(hashFile{name: "rapidhash", emit: hashLanes.rapidHash, ops: []hashOp{
	{"rapidHash", "rapidhash", 1, seeded, &dispatch{args: "rapidHashStart(seed)", leastAVX512: 8, leastAVX2: 8}},
}})

var _ = hashes(hashFile{name: "wyhash", emit: hashLanes.wyHash, ops: []hashOp{
	{"wyHash", "wyhash", 1, seeded, &dispatch{args: "wyHashStart(seed)", leastAVX512: 8, leastAVX2: 8}},
}})

// These hashes multiply 64 by 64 bits, and XOR the halves of the product, which is called folding.

var _ = hashes(hashFile{name: "komihash", emit: hashLanes.komiHash, only: "avx512", ops: []hashOp{
	{"komiHash", "komihash", 1, seeded, &dispatch{prepare: "first, second, sum := komiHashStart(seed)", args: "first, second, sum", leastAVX512: 8}},
}})

func (h hashLanes) rapidHash() {
	const second, eighth = 0x8BB84B93962EACC9, 0xAAAAAAAAAAAAAAAA // words of the secret
	h.folded("rapidHash", false, second, eighth, second^8)
}

func (h hashLanes) wyHash() {
	const first, second = 0xA0761D6478BD642F, 0xE7037ED1A0B428DB
	h.folded("wyHash", true, second, first^8, second)
}

// folded multiplies (key ^ before) by (key ^ mixed), where mixed is computed from the seed. Then it
// XORs the halves of the product with lower and upper, multiplies these halves, and folds the
// product. If exchanged is set, the halves of the first key are exchanged.
func (h hashLanes) folded(op string, exchanged bool, before, lower, upper uint64) {
	words := []hashWord{{"before", before}, {"lower", lower}, {"upper", upper}}
	var mixed reg.VecVirtual
	var odd reg.OpmaskVirtual
	prepare := func() {
		mixed = h.broadcast("mixed")
		h.hold(words...)
		odd = h.oddLanes()
	}
	h.emit(op, ", mixed uint64", 4, prepare, func(x []reg.VecVirtual) {
		h.Comment("Multiply the key XOR a word of the secret by the key XOR the mixed seed.")
		highs := make([]reg.VecVirtual, len(x))
		for i, r := range x {
			a := h.register()
			from := r
			if exchanged {
				h.VPSHUFD(operand.U8(exchangeHalves), r, a)
				from = a
			}
			h.xor(h.each(words[0]), from, a)
			h.xor(mixed, r, r)
			highs[i] = h.multiplyWide(a, r, odd)
		}
		h.Comment("XOR each half of the product with a word of the secret, multiply the halves, and fold.")
		for i, r := range x {
			h.xor(h.each(words[1]), r, r)
			h.xor(h.each(words[2]), highs[i], highs[i])
			h.xor(h.multiplyWide(highs[i], r, odd), r, r)
		}
	})
}

// komiHash multiplies (key ^ first) by second. It adds the upper half of the product to sum, XORs
// the lower half with the new sum, and multiplies the result by the new sum. Finally, it adds the
// upper half of the second product to the new sum, and XORs the result with the lower half.
func (h hashLanes) komiHash() {
	var first, second, sum reg.VecVirtual
	var odd reg.OpmaskVirtual
	prepare := func() {
		first, second, sum = h.broadcast("first"), h.broadcast("second"), h.broadcast("sum")
		odd = h.oddLanes()
	}
	h.emit("komiHash", ", first, second, sum uint64", 4, prepare, func(x []reg.VecVirtual) {
		sums := make([]reg.VecVirtual, len(x))
		for i, r := range x {
			h.xor(first, r, r)
			sums[i] = h.multiplyWide(second, r, odd)
			h.VPADDQ(sum, sums[i], sums[i])
			h.xor(sums[i], r, r)
		}
		for i, r := range x {
			high := h.multiplyWide(sums[i], r, odd)
			h.VPADDQ(sums[i], high, high)
			h.xor(high, r, r)
		}
	})
}

// oddLanes returns a mask of the upper halves of the lanes. Without AVX-512, it returns nothing.
func (h hashLanes) oddLanes() (odd reg.OpmaskVirtual) {
	if h.bytes == 64 {
		odd = h.K()
		h.KMOVW(h.immediate(0xAAAA).As32(), odd)
	}
	return odd
}

// multiplyWide stores the lower half of a·b in b and returns the upper half. It computes both from
// products of halves of 32 bits.
func (h hashLanes) multiplyWide(a, b reg.VecVirtual, odd reg.OpmaskVirtual) (high reg.VecVirtual) {
	aHigh, bHigh, mid, carried := h.register(), h.register(), h.register(), h.register()
	high = h.register()
	h.VPSRLQ(operand.U8(32), a, aHigh)
	h.VPSRLQ(operand.U8(32), b, bHigh)
	h.VPMULUDQ(bHigh, aHigh, high)
	h.VPMULUDQ(b, aHigh, mid)
	h.VPMULUDQ(bHigh, a, bHigh)
	h.VPMULUDQ(b, a, b)
	// No sum overflows 64 bits, because each adds numbers of 32 bits to a product of such numbers.
	h.VPSRLQ(operand.U8(32), b, carried)
	h.VPADDQ(carried, mid, mid)
	h.VPSRLQ(operand.U8(32), mid, carried)
	h.VPADDQ(carried, high, high)
	h.VPSLLQ(operand.U8(32), mid, mid)
	h.VPSRLQ(operand.U8(32), mid, mid)
	h.VPADDQ(mid, bHigh, mid)
	h.VPSRLQ(operand.U8(32), mid, carried)
	h.VPADDQ(carried, high, high)
	if h.bytes == 64 {
		h.VPSHUFD(operand.U8(0xA0), mid, odd, b)
		return high
	}
	h.VPSHUFD(operand.U8(0xA0), mid, mid)
	h.VPBLENDD(operand.U8(0xAA), mid, b, b)
	return high
}
