package main

import "github.com/mmcloughlin/avo/reg"

var _ = hashes(hashFile{name: "splitmix64", emit: hashLanes.splitMix64, ops: []hashOp{
	{"splitMix64", "splitmix64", 1, seeded, &dispatch{args: "Mix64(seed)", leastAVX512: 6, leastAVX2: 12}},
}})

var _ = hashes(hashFile{name: "xxh64", emit: hashLanes.xxh64, ops: []hashOp{
	{"xxh64", "xxh64", 1, seeded, &dispatch{args: "xxh64Start(seed)", leastAVX512: 6, leastAVX2: 32}},
}})

// splitMix64 computes mix((key ^ mixed) + γ), where mixed is mix(seed).
func (h hashLanes) splitMix64() {
	gamma, first, second := hashWord{"gamma", 0x9E3779B97F4A7C15}, hashWord{"mixFirst", 0xBF58476D1CE4E5B9}, hashWord{"mixSecond", 0x94D049BB133111EB}
	var mixed reg.VecVirtual
	prepare := func() {
		mixed = h.broadcast("mixed")
		h.hold(gamma, first, second)
	}
	h.emit("splitMix64", ", mixed uint64", 8, prepare, func(x []reg.VecVirtual) {
		h.Comment("The key, XOR the mixed seed, plus gamma; then mix.")
		for _, r := range x {
			h.xor(mixed, r, r)
			h.VPADDQ(h.each(gamma), r, r)
		}
		h.xorShift(x, 30)
		h.multiply(x, first)
		h.xorShift(x, 27)
		h.multiply(x, second)
		h.xorShift(x, 31)
	})
}

// xxh64 starts from start, which is seed + prime5 + 8.
func (h hashLanes) xxh64() {
	prime1, prime2 := hashWord{"prime1", 0x9E3779B185EBCA87}, hashWord{"prime2", 0xC2B2AE3D27D4EB4F}
	prime3, prime4 := hashWord{"prime3", 0x165667B19E3779F9}, hashWord{"prime4", 0x85EBCA77C2B2AE63}
	var start reg.VecVirtual
	prepare := func() {
		start = h.broadcast("start")
		h.hold(prime1, prime2, prime3, prime4)
	}
	h.emit("xxh64", ", start uint64", 8, prepare, func(x []reg.VecVirtual) {
		h.Comment("The round of the key.")
		h.multiply(x, prime2)
		h.rotate(x, 31)
		h.multiply(x, prime1)
		for _, r := range x {
			h.xor(start, r, r)
		}
		h.Comment("Combine it with the accumulator.")
		h.rotate(x, 27)
		h.multiply(x, prime1)
		for _, r := range x {
			h.VPADDQ(h.each(prime4), r, r)
		}
		h.Comment("Avalanche.")
		h.xorShift(x, 33)
		h.multiply(x, prime2)
		h.xorShift(x, 29)
		h.multiply(x, prime3)
		h.xorShift(x, 32)
	})
}
