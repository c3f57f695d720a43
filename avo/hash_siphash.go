package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

var _ = hashes(hashFile{name: "siphash", emit: hashLanes.sipHash, ops: []hashOp{
	{"sipHash", "siphash", 1, "key *[2]uint64", &dispatch{args: "sipHashState(key)", leastAVX512: 2, leastAVX2: 4}},
}})

// sipState is v0 to v3 of SipHash.
type sipState [4]reg.VecVirtual

// sipHash starts from start, the state that all keys have in common. It includes the part of the
// first round that does not read the message.
func (h hashLanes) sipHash() {
	length, finish := hashWord{"length", 8 << 56}, hashWord{"finish", 0xFF}
	var start sipState
	var turned reg.VecVirtual // v1 after this half of the first round
	prepare := func() {
		from := h.param("start")
		for i := range start {
			start[i] = h.register()
			h.VPBROADCASTQ(operand.Mem{Base: from, Disp: 8 * i}, start[i])
		}
		turned = h.register()
		h.rotated64(start[1], turned, 17)
		h.hold(length, finish)
	}
	flight := 2
	if h.bytes == 64 {
		flight = 4
	}
	h.emit("sipHash", ", start *[4]uint64", flight, prepare, func(x []reg.VecVirtual) {
		h.Comment("XOR the key into v3, and do the rest of the first round.")
		states := make([]sipState, len(x))
		for i, key := range x {
			v := sipState{h.register(), h.register(), h.register(), h.register()}
			h.xor(start[3], key, v[3])
			h.VPADDQ(v[3], start[2], v[2])
			h.rotated64(v[3], v[3], 16)
			h.xor(v[2], v[3], v[3])
			h.VPADDQ(v[3], start[0], v[0])
			h.rotated64(v[3], v[3], 21)
			h.xor(v[0], v[3], v[3])
			h.VPADDQ(start[1], v[2], v[2])
			h.xor(v[2], turned, v[1])
			h.rotated64(v[2], v[2], 32)
			states[i] = v
		}
		h.sipRounds(states, 1)
		h.Comment("XOR the key into v0, and process the last block, which is the length.")
		for i, v := range states {
			h.xor(x[i], v[0], v[0])
			h.xor(h.each(length), v[3], v[3])
		}
		h.sipRounds(states, 2)
		for _, v := range states {
			h.xor(h.each(length), v[0], v[0])
			h.xor(h.each(finish), v[2], v[2])
		}
		h.sipRounds(states, 3)
		h.Comment("The last round, and the XOR of the state, in which v0 cancels out.")
		for i, v := range states {
			h.VPADDQ(v[1], v[0], v[0])
			h.rotated64(v[1], v[1], 13)
			h.xor(v[0], v[1], v[1])
			h.VPADDQ(v[3], v[2], v[2])
			h.rotated64(v[3], v[3], 16)
			h.xor(v[2], v[3], v[3])
			h.rotated64(v[3], v[3], 21)
			h.VPADDQ(v[1], v[2], v[2])
			h.rotated64(v[1], v[1], 17)
			h.xor(v[2], v[1], x[i])
			h.rotated64(v[2], v[2], 32)
			h.xor3(x[i], v[2], v[3])
		}
	})
}

// sipRounds does that many rounds.
func (h hashLanes) sipRounds(states []sipState, rounds int) {
	// half is the half of a round that uses only two of the words.
	half := func(a, b, by int, exchange bool) {
		for _, v := range states {
			h.VPADDQ(v[b], v[a], v[a])
			h.rotated64(v[b], v[b], by)
			h.xor(v[a], v[b], v[b])
			if exchange {
				h.rotated64(v[a], v[a], 32)
			}
		}
	}
	for range rounds {
		h.Comment("A round.")
		half(0, 1, 13, true)
		half(2, 3, 16, false)
		half(0, 3, 21, false)
		half(2, 1, 17, true)
	}
}
