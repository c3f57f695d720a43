package fphash

import (
	"encoding/binary"
	"math/bits"

	"simhashkit/asm/hashing"
)

var rapidhashFamily = Family{
	Name: "rapidhash", Bits: 64, Seeded: true,
	Verification: 0xd73423e570d42742,
	New: func(k Key) (Hash, error) {
		return rapidhash{k.Seed, k.Seed ^ foldedProduct(k.Seed^rapidSecrets[2], rapidSecrets[1])}, nil
	},
}

// rapidSecrets is the default secret of rapidhash.
var rapidSecrets = [8]uint64{
	0x2D358DCCAA6C78A5, 0x8BB84B93962EACC9, 0x4B33A62ED433D4A3, 0x4D5A2DA51DE1AA47,
	0xA0761D6478BD642F, 0xE7037ED1A0B428DB, 0x90ED1765281C388C, 0xAAAAAAAAAAAAAAAA,
}

// rapidhash is Nicolas De Carli's rapidhash, version 3 of 2025 (MIT), with its default secret and
// build options: without protection against products of zero.
type rapidhash struct{ seed, mixed uint64 } // mixed is the seed mixed with the secret

func (h rapidhash) HashUint64s(dst, keys []uint64) { hashing.RapidHash(dst, keys, h.seed) }

func (h rapidhash) HashBytes(dst []uint64, data []byte, ends []int) {
	start := 0
	for i, end := range ends {
		dst[i] = h.sum(data[start:end])
		start = end
	}
}

func (h rapidhash) sum(key []byte) uint64 {
	n := len(key)
	length := uint64(n)
	switch {
	case n > 16:
		seed, rest := h.blocks(key)
		return rapidFinish(binary.LittleEndian.Uint64(key[n-16:])^rest, binary.LittleEndian.Uint64(key[n-8:]), seed, rest)
	case n >= 8:
		return rapidFinish(binary.LittleEndian.Uint64(key), binary.LittleEndian.Uint64(key[n-8:]), h.mixed^length, length)
	case n >= 4:
		return rapidFinish(uint64(binary.LittleEndian.Uint32(key)), uint64(binary.LittleEndian.Uint32(key[n-4:])), h.mixed^length, length)
	case n > 0:
		return rapidFinish(uint64(key[0])<<45|uint64(key[n-1]), uint64(key[n>>1]), h.mixed, length)
	}
	return rapidFinish(0, 0, h.mixed, 0)
}

// blocks mixes a key of more than 16 bytes into the seed, except the last 1 to 16 bytes. It
// processes 112 bytes at a time with seven independent sums, then 16 at a time. It returns the
// seed, and the number of bytes after the blocks of 112.
func (h rapidhash) blocks(key []byte) (seed, rest uint64) {
	mix := func(at int, secret, seed uint64) uint64 {
		return foldedProduct(binary.LittleEndian.Uint64(key[at:])^secret, binary.LittleEndian.Uint64(key[at+8:])^seed)
	}
	var sums [7]uint64
	for i := range sums {
		sums[i] = h.mixed
	}
	for ; len(key) > 112; key = key[112:] {
		for i, sum := range sums {
			sums[i] = mix(16*i, rapidSecrets[i], sum)
		}
	}
	for _, sum := range sums { // if there was no block, all seven are equal
		seed ^= sum
	}
	for i, secret := range [...]int{2, 2, 1, 1, 2, 1} {
		if len(key) <= 16*(i+1) {
			break
		}
		seed = mix(16*i, rapidSecrets[secret], seed)
	}
	return seed, uint64(len(key))
}

func rapidFinish(a, b, seed, rest uint64) uint64 {
	high, low := bits.Mul64(a^rapidSecrets[1], b^seed)
	return foldedProduct(low^rapidSecrets[7], high^rapidSecrets[1]^rest)
}
