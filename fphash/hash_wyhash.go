package fphash

import (
	"encoding/binary"
	"math/bits"

	"simhashkit/asm/hashing"
)

var wyhashFamily = Family{
	Name: "wyhash", Bits: 64, Seeded: true,
	Verification: 0x3a78f87c64ec29f6,
	New: func(k Key) (Hash, error) {
		return wyhash{k.Seed, k.Seed ^ foldedProduct(k.Seed^wySecret0, wySecret1)}, nil
	},
}

// The default secret of wyhash.
const (
	wySecret0 = 0xA0761D6478BD642F
	wySecret1 = 0xE7037ED1A0B428DB
	wySecret2 = 0x8EBC6AF09C88C6E3
	wySecret3 = 0x589965CC75374CC3
)

// wyhash is Wang Yi's wyhash (public domain), final version 4 as released in November 2022, with
// its default secret and 64-bit by 64-bit products. Version 4.1 differs for keys of 48, 96, 144 …
// bytes; 4.2 and 4.3 have another secret and differ for all keys.
type wyhash struct{ seed, mixed uint64 } // mixed is the seed mixed with the secret

// foldedProduct returns the XOR of the two halves of a·b.
func foldedProduct(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return high ^ low
}

func (h wyhash) HashUint64s(dst, keys []uint64) { hashing.WyHash(dst, keys, h.seed) }

func (h wyhash) HashBytes(dst []uint64, data []byte, ends []int) {
	start := 0
	for i, end := range ends {
		dst[i] = h.sum(data[start:end])
		start = end
	}
}

func (h wyhash) sum(key []byte) uint64 {
	n := len(key)
	switch {
	case n > 16:
		return h.finish(binary.LittleEndian.Uint64(key[n-16:]), binary.LittleEndian.Uint64(key[n-8:]), h.blocks(key), uint64(n))
	case n >= 4:
		word := func(at int) uint64 { return uint64(binary.LittleEndian.Uint32(key[at:])) }
		step := n >> 3 << 2
		return h.finish(word(0)<<32|word(step), word(n-4)<<32|word(n-4-step), h.mixed, uint64(n))
	case n > 0:
		return h.finish(uint64(key[0])<<16|uint64(key[n>>1])<<8|uint64(key[n-1]), 0, h.mixed, uint64(n))
	}
	return h.finish(0, 0, h.mixed, 0)
}

// blocks mixes a key of more than 16 bytes into the seed, except the last 1 to 16 bytes, and
// returns the seed. It processes 48 bytes at a time with three independent sums, then 16 at a time.
func (h wyhash) blocks(key []byte) uint64 {
	seed, second, third := h.mixed, h.mixed, h.mixed
	mix := func(at int, secret, seed uint64) uint64 {
		return foldedProduct(binary.LittleEndian.Uint64(key[at:])^secret, binary.LittleEndian.Uint64(key[at+8:])^seed)
	}
	for ; len(key) > 48; key = key[48:] {
		seed, second, third = mix(0, wySecret1, seed), mix(16, wySecret2, second), mix(32, wySecret3, third)
	}
	seed ^= second ^ third // if there was no block of 48, the three are equal
	for ; len(key) > 16; key = key[16:] {
		seed = mix(0, wySecret1, seed)
	}
	return seed
}

func (h wyhash) finish(a, b, seed, length uint64) uint64 {
	high, low := bits.Mul64(a^wySecret1, b^seed)
	return foldedProduct(low^wySecret0^length, high^wySecret1)
}
