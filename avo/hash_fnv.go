package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

var _ = hashes(hashFile{name: "fnv", emit: hashLanes.fnv, ops: []hashOp{
	{"fnv1", "fnv1-64", 1, unseeded, &dispatch{leastAVX512: 6, leastAVX2: 8}},
	{"fnv1a", "fnv1a64", 1, unseeded, &dispatch{leastAVX512: 6, leastAVX2: 8}},
}})

const (
	fnvOffset = 0xCBF29CE484222325
	fnvLowest = fnvOffset & 0xFF // its lowest byte
	fnvSmall  = 0x1B3            // the prime without its highest bit
	fnvPrime  = 1<<40 | fnvSmall // so x·prime is a short product and a shift
)

var (
	fnvWhole = hashWord{"prime", fnvPrime}
	// For the first step of FNV-1a.
	fnvTwice = hashWord{"offsetTwice", fnvLowest | fnvLowest<<40}
	fnvLess1 = hashWord{"smallLess1", fnvSmall - 1}
	fnvAbove = hashWord{"above", times(fnvOffset-fnvLowest, fnvPrime)}
)

// times multiplies modulo 2^64, which is not possible with constant expressions.
func times(a, b uint64) uint64 { return a * b }

func (h hashLanes) fnv() {
	flight := h.bytes / 8 // two registers each, for the keys and for the hashes
	start := hashWord{"start", times(fnvOffset, fnvPrime)}
	h.emit("fnv1", "", flight, func() { h.hold(start, fnvWhole) }, func(keys []reg.VecVirtual) {
		h.Comment("Byte 0: the offset times the prime is a constant.")
		x := h.byteOf(keys, 0)
		for _, r := range x {
			h.xor(h.each(start), r, r)
		}
		for n := 1; n < 8; n++ {
			h.Comment(label("Multiply, then XOR byte ", n) + ".")
			h.multiplyFNV(x)
			h.addByte(x, keys, n)
		}
		copy(keys, x)
	})
	h.emit("fnv1a", "", flight, func() { h.hold(fnvTwice, fnvLess1, fnvAbove, fnvWhole) }, func(keys []reg.VecVirtual) {
		h.Comment("XOR byte 0 and multiply: a short product and constants.")
		x := h.firstFNV1a(keys)
		for n := 1; n < 8; n++ {
			h.Comment(label("XOR byte ", n) + ", then multiply.")
			h.addByte(x, keys, n)
			h.multiplyFNV(x)
		}
		copy(keys, x)
	})
}

// byteOf returns byte n of every key.
func (h hashLanes) byteOf(keys []reg.VecVirtual, n int) []reg.VecVirtual {
	return h.shuffled(keys, h.shuffle(fmt.Sprintf("byte%d", n), func(to int) (from int) {
		if to > 0 {
			return -1
		}
		return n
	}))
}

// addByte XORs byte n of its key to every x.
func (h hashLanes) addByte(x, keys []reg.VecVirtual, n int) {
	for i, b := range h.byteOf(keys, n) {
		h.xor(b, x[i], x[i])
	}
}

// shuffle returns a constant for VPSHUFB that moves bytes within each lane of 64 bits. If from
// returns -1, the byte is 0.
func (h hashLanes) shuffle(name string, from func(to int) int) operand.Op {
	return h.bytes16(name, func(i int) uint8 {
		if at := from(i % 8); at >= 0 {
			return uint8(i&8 + at)
		}
		return 0x80
	})
}

// shuffled returns the registers with their bytes in that order.
func (h hashLanes) shuffled(x []reg.VecVirtual, order operand.Op) []reg.VecVirtual {
	list := make([]reg.VecVirtual, len(x))
	for i, r := range x {
		list[i] = h.register()
		h.VPSHUFB(order, r, list[i])
	}
	return list
}

// firstFNV1a returns (offset ^ byte 0)·prime for every key. If x is the lowest byte of offset ^
// byte 0, all bytes above it are constant, and x·prime is x·2^40 + x plus the short product
// x·(small-1).
func (h hashLanes) firstFNV1a(keys []reg.VecVirtual) []reg.VecVirtual {
	list := h.shuffled(keys, h.shuffle("twice", func(to int) int {
		if to == 0 || to == 5 {
			return 0
		}
		return -1
	}))
	for _, x := range list {
		short := h.register()
		h.xor(h.each(fnvTwice), x, x)
		h.VPMULUDQ(h.each(fnvLess1), x, short)
		h.VPADDQ(h.each(fnvAbove), x, x)
		h.VPADDQ(short, x, x)
	}
	return list
}

// multiplyFNV replaces every x by x·prime, without a product of 64 bits. small is so small that its
// products with the four parts of 16 bits overlap only by their upper halves.
func (h hashLanes) multiplyFNV(x []reg.VecVirtual) {
	if h.bytes == 64 {
		h.multiply(x, fnvWhole)
		return
	}
	small := h.each(hashWord{"small", fnvSmall * 0x0001000100010001})
	for i, r := range x {
		upper, high, sum := h.register(), h.register(), h.register()
		h.VPMULHUW(small, r, upper)
		h.VPMULLW(small, r, sum)
		h.VPSHUFB(h.shuffle("left40", func(to int) int { return max(to-5, -1) }), r, high)
		h.VPSLLQ(operand.U8(16), upper, upper)
		h.VPADDQ(high, sum, sum)
		h.VPADDQ(upper, sum, sum)
		x[i] = sum
	}
}
