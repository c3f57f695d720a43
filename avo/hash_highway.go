package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

var _ = hashes(hashFile{name: "highway", emit: func(h hashLanes) { hashHighway{vectors: h.vectors}.emitAll() }, neon: true, ops: []hashOp{
	{"highway64", "highway64", 1, "key *[4]uint64", &dispatch{args: "key", leastAVX512: 1, leastAVX2: 1, anyNumber: true, scratch: 12}},
	{"highway128", "highway128", 2, "key *[4]uint64", &dispatch{args: "key", leastAVX512: 1, leastAVX2: 1, anyNumber: true, scratch: 12}},
	{"highway256", "highway256", 4, "key *[4]uint64", &dispatch{args: "key", leastAVX512: 1, leastAVX2: 1, anyNumber: true, scratch: 12}},
}})

// highwayWidths are the widths in bits, with the number of rounds without input for each.
var highwayWidths = []struct{ bits, rounds int }{{64, 4}, {128, 6}, {256, 10}}

// hashHighway computes HighwayHash with the four lanes of v0, v1, mul0 and mul1 in 256 bits each. A
// register holds one key, or two with AVX-512.
type hashHighway struct {
	vectors
	rounds int
	start  highwayStart
	keys   reg.GPVirtual
	words  []reg.GPVirtual // destinations: word 0 of all keys, word 1 of all keys and so on
	n      reg.GPVirtual
	// The order of bytes for zipperMerge, and the order of lane halves that turns v0 into the
	// packet of a round.
	zipper operand.Op
	swap   reg.VecVirtual
	// The order that brings the lanes of two keys together.
	pairs reg.VecVirtual
	// The last register may hold one key instead of two. These masks load only that key and store
	// only its word.
	loaded, stored reg.OpmaskVirtual
}

// highwayStart is the state of all keys after their only packet has been added, without the key
// itself.
type highwayStart struct {
	mul0, mul1 operand.Op // constants
	upper      operand.Op // v0 >> 32
	v0, v1     operand.Op // v0 + mul1, v1 + mul0
}

type highwayState struct{ v0, v1, mul0, mul1 reg.VecVirtual }

func (h hashHighway) emitAll() {
	for _, w := range highwayWidths {
		h.rounds = w.rounds
		h.emit(w.bits)
	}
}

func (h hashHighway) emit(bits int) {
	op := label("highway", bits)
	scratch, and := "", ""
	if h.bytes == 32 {
		scratch, and = ", scratch *[12]uint64", " It has too few registers and uses the scratch."
	}
	h.function(op+h.isa, "func(dst, keys []uint64, key *[4]uint64"+scratch+")", op+h.isa+" hashes the keys, one or more. It works like "+op+"Generic."+and)
	h.keys, h.n = h.slice("keys")
	h.words = []reg.GPVirtual{h.base("dst")}
	for i := 1; i < bits/64; i++ {
		word := h.GP64()
		h.LEAQ(operand.Mem{Base: h.words[i-1], Index: h.n, Scale: 8}, word)
		h.words = append(h.words, word)
	}
	h.swap = h.register()
	h.VPMOVZXBD(h.builder.bytes("swap", h.bytes/4, func(i int) uint8 { return []uint8{5, 4, 7, 6, 1, 0, 3, 2}[i%8] + uint8(i&^7) }), h.swap)
	order := [16]uint8{3, 12, 2, 5, 14, 1, 15, 0, 11, 4, 10, 13, 9, 6, 8, 7}
	h.zipper = h.bytes16("zipper", func(i int) uint8 { return order[i] })
	h.prepare()
	h.loaded, h.stored = h.K(), h.K()
	flight := 3 // as many as the registers can hold
	if h.bytes == 64 {
		flight = 4
		h.pairs = h.ZMM()
		h.VPMOVZXBQ(h.builder.bytes("pairs", 8, func(i int) uint8 { return uint8(i/2 + i%2*4) }), h.pairs)
		h.mask(0x11, h.loaded)
		h.mask(0x3, h.stored)
	}

	h.CMPQ(h.n, operand.U8(flight*h.each()))
	h.JL(operand.LabelRef("single"))
	h.Label("many")
	h.block(flight)
	h.CMPQ(h.n, operand.U8(flight*h.each()))
	h.JGE(operand.LabelRef("many"))
	h.TESTQ(h.n, h.n)
	h.JZ(operand.LabelRef("done"))
	h.Label("single")
	if h.bytes == 64 {
		h.CMPQ(h.n, operand.U8(1))
		h.JNE(operand.LabelRef("two"))
		h.mask(0x01, h.loaded)
		h.mask(0x1, h.stored)
		h.Label("two")
	}
	h.block(1)
	h.TESTQ(h.n, h.n)
	h.JG(operand.LabelRef("single"))
	h.Label("done")
	h.leave()
}

// prepare computes the initial state of all keys.
func (h *hashHighway) prepare() {
	const length = 8 // of a key, in bytes
	constant := func(name string, words [4]uint64) operand.Op {
		m := h.words64(name, 4, func(i int) uint64 { return words[i] })
		if h.bytes == 32 {
			return m
		}
		r := h.ZMM()
		h.VBROADCASTI64X4(m, r)
		return r
	}
	h.start.mul0 = constant("mul0", [4]uint64{0xDBE6D5D5FE4CCE2F, 0xA4093822299F31D0, 0x13198A2E03707344, 0x243F6A8885A308D3})
	h.start.mul1 = constant("mul1", [4]uint64{0x3BD39E10CB0EF593, 0xC0ACF169B5F18A8C, 0xBE5466CF34E90C6C, 0x452821E638D01377})
	h.Comment("The initial state of all keys: the secret, the length, and half of the first packet's round.")
	v0, v1, upper := h.register(), h.register(), h.register()
	key := operand.Mem{Base: h.param("key")}
	if h.bytes == 64 {
		h.VBROADCASTI64X4(key, v0)
	} else {
		h.VMOVDQU(key, v0)
	}
	h.VPSHUFD(operand.U8(0xB1), v0, v1) // exchanges the halves of the lanes
	h.xor(h.start.mul0, v0, v0)
	lengths := h.register()
	h.VPBROADCASTQ(h.words64("length", 1, func(int) uint64 { return length<<32 | length }), lengths)
	h.VPADDQ(lengths, v0, v0)
	h.xor(h.start.mul1, v1, v1)
	// The length, 8, rotates by one byte.
	h.VPSHUFB(h.bytes16("rotateLength", func(i int) uint8 { return uint8(i&12 + (i+3)%4) }), v1, v1)
	h.VPSRLQ(operand.U8(32), v0, upper)
	h.VPADDQ(h.start.mul0, v1, v1)
	h.VPADDQ(h.start.mul1, v0, v0)
	h.start.v0, h.start.v1, h.start.upper = v0, v1, upper
	if h.bytes == 32 {
		scratch := h.param("scratch")
		for i, place := range []*operand.Op{&h.start.v0, &h.start.v1, &h.start.upper} {
			m := operand.Mem{Base: scratch, Disp: 32 * i}
			h.VMOVDQU(*place, m)
			*place = m
		}
	}
}

// each returns the number of keys in a register.
func (h hashHighway) each() int { return h.bytes / 32 }

func (h hashHighway) mask(bits uint64, k reg.OpmaskVirtual) { h.KMOVW(h.immediate(bits).As32(), k) }

// block hashes that many registers of keys.
func (h hashHighway) block(flight int) {
	h.Comment("The state after the keys' packets.")
	states := make([]*highwayState, flight)
	for i := range states {
		states[i] = h.first(operand.Mem{Base: h.keys, Disp: 8 * i * h.each()})
	}
	for round := range h.rounds {
		h.Comment(label("Round ", round) + " without input: its packet is v0 with its halves exchanged.")
		for _, s := range states {
			packet := h.register()
			h.VPERMD(s.v0, h.swap, packet)
			h.VPADDQ(s.mul0, s.v1, s.v1)
			h.VPADDQ(packet, s.v1, s.v1)
		}
		for _, s := range states {
			h.addProduct(s.v0, s.v1, s.mul0, s.mul0)
			h.VPADDQ(s.mul1, s.v0, s.v0)
		}
		for _, s := range states {
			h.addProduct(s.v1, s.v0, s.mul1, s.mul1)
		}
		h.zipperMerge(states)
	}
	h.Comment("Store the digests.")
	for i, s := range states {
		h.finish(s, i, flight > 1)
	}
	for _, p := range append([]reg.GPVirtual{h.keys}, h.words...) {
		h.ADDQ(operand.U8(8*flight*h.each()), p)
	}
	h.SUBQ(operand.U8(flight*h.each()), h.n)
}

// first returns the state after the only packet of the keys. Lane 0 of the packet is the key, and
// the other lanes are 0.
func (h hashHighway) first(from operand.Mem) *highwayState {
	key := h.register()
	if h.bytes == 64 {
		h.VPEXPANDQ_Z(from, h.loaded, key)
	} else {
		h.VPBROADCASTQ(from, key)
		h.VPAND(h.words64("lane0", 4, func(i int) uint64 { return uint64(min(i, 1)) - 1 }), key, key)
	}
	s := &highwayState{h.register(), h.register(), h.register(), h.register()}
	h.VPADDQ(h.start.v1, key, s.v1)
	h.VPMULUDQ(h.start.upper, s.v1, s.mul0)
	h.xor(h.start.mul0, s.mul0, s.mul0)
	h.VPSRLQ(operand.U8(32), s.v1, s.mul1)
	h.VPMULUDQ(h.start.v0, s.mul1, s.mul1)
	h.xor(h.start.mul1, s.mul1, s.mul1)
	h.VPSHUFB(h.zipper, s.v1, s.v0)
	h.VPADDQ(h.start.v0, s.v0, s.v0)
	merged := h.register()
	h.VPSHUFB(h.zipper, s.v0, merged)
	h.VPADDQ(merged, s.v1, s.v1)
	return s
}

// addProduct stores mul ^ (upper half of x · lower half of y) in to.
func (h hashHighway) addProduct(x, y, mul, to reg.VecVirtual) {
	t := h.register()
	h.VPSRLQ(operand.U8(32), x, t)
	h.VPMULUDQ(y, t, t)
	h.xor(t, mul, to)
}

// zipperMerge adds the bytes of v1, in a different order, to v0, and then those of v0 to v1.
func (h hashHighway) zipperMerge(states []*highwayState) {
	for _, s := range states {
		t := h.register()
		h.VPSHUFB(h.zipper, s.v1, t)
		h.VPADDQ(t, s.v0, s.v0)
	}
	for _, s := range states {
		t := h.register()
		h.VPSHUFB(h.zipper, s.v0, t)
		h.VPADDQ(t, s.v1, s.v1)
	}
}

// finish stores the digest of register i.
func (h hashHighway) finish(s *highwayState, i int, full bool) {
	h.VPADDQ(s.mul0, s.v0, s.v0)
	h.VPADDQ(s.mul1, s.v1, s.v1)
	switch len(h.words) {
	case 1:
		h.VPADDQ(s.v1, s.v0, s.v0)
	case 2: // lanes 2 and 3 of v1 and mul1 are added to lanes 0 and 1 of v0 and mul0
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
	// Lane 0 of both keys become adjacent, and likewise lanes 1, 2 and 3.
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
