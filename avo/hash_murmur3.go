package main

import "github.com/mmcloughlin/avo/reg"

var _ = hashes(hashFile{name: "fmix64", emit: hashLanes.fmix64, ops: []hashOp{
	{"fmix64", "fmix64", 1, seeded, &dispatch{args: "fmix64(seed)", leastAVX512: 5, leastAVX2: 8}},
}})

var _ = hashes(hashFile{name: "murmur3", emit: hashLanes.murmur3, ops: []hashOp{
	{"murmur3", "murmur3-128", 2, seeded, &dispatch{args: "len(keys), murmur3Start(seed)", leastAVX512: 2, leastAVX2: 4}},
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
