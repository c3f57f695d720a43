package fphash

import (
	"encoding/binary"
	"math/bits"
)

var a5hashFamily = Family{
	Name: "a5hash", Bits: 64, Seeded: true,
	Verification: 0x28ed72ee8d84017c,
	New:          func(k Key) (Hash, error) { return a5hash{k.Seed}, nil },
}

// a5hash is Aleksey Vaneev's a5hash (MIT licence), version 5.21. Its first two seeds are words of
// the fractional part of π.
type a5hash struct{ seed uint64 }

const (
	a5Even = 0x5555555555555555 // bits
	a5Odd  = 0xAAAAAAAAAAAAAAAA
)

// start returns the two halves of the state for keys of a length.
func (h a5hash) start(length int) (first, second uint64) {
	second, first = bits.Mul64(0x452821E638D01377^uint64(length)^h.seed&a5Odd, 0x243F6A8885A308D3^uint64(length)^h.seed&a5Even)
	return first, second
}

func (h a5hash) HashUint64s(dst, keys []uint64) {
	dst = dst[:len(keys)]
	first, second := h.start(8)
	for i, k := range keys {
		dst[i] = a5Finish(first^bits.RotateLeft64(k, 32), second^k, a5Even)
	}
}

func (h a5hash) HashBytes(dst []uint64, data []byte, ends []int) {
	start := 0
	for i, end := range ends {
		dst[i] = h.sum(data[start:end])
		start = end
	}
}

func (h a5hash) sum(key []byte) uint64 {
	word := binary.LittleEndian.Uint32
	joined := func(high, low []byte) uint64 { return uint64(word(high))<<32 | uint64(word(low)) }
	first, second := h.start(len(key))
	even, odd := uint64(a5Even), uint64(a5Odd)
	if len(key) > 16 {
		even ^= first
		odd ^= second
		for ; len(key) > 16; key = key[16:] {
			second, first = bits.Mul64(joined(key, key[4:])^first, joined(key[8:], key[12:])^second)
			first += even
			second += odd
		}
	}
	if n := len(key); n > 3 {
		last, middle := key[n-4:], n>>3*4
		first ^= joined(key, last)
		second ^= joined(key[middle:], key[n-4-middle:])
	} else {
		for i, b := range key {
			first ^= uint64(b) << (8 * i)
		}
	}
	return a5Finish(first, second, even)
}

func a5Finish(first, second, even uint64) uint64 {
	second, first = bits.Mul64(first, second)
	second, first = bits.Mul64(even^first, second)
	return first ^ second
}
