package fphash

import (
	"encoding/binary"
	"math/bits"

	"simhashkit/asm/hashing"
)

var komihashFamily = Family{
	Name: "komihash", Bits: 64, Seeded: true,
	Verification: 0x6a035c2a402d4207,
	New: func(k Key) (Hash, error) {
		const even = 0x5555555555555555 // bits
		first, fifth := komiMix(komiFractions[0]^k.Seed&even, komiFractions[4]^k.Seed&^even, komiFractions[4]^k.Seed&^even)
		return komihash{k.Seed, first, fifth}, nil
	},
}

// komiFractions are words of the fractional part of π.
var komiFractions = [8]uint64{
	0x243F6A8885A308D3, 0x13198A2E03707344, 0xA4093822299F31D0, 0x082EFA98EC4E6C89,
	0x452821E638D01377, 0xBE5466CF34E90C6C, 0xC0AC29B7C97C50DD, 0x3F84D5B5B5470917,
}

// komihash is Aleksey Vaneev's komihash (MIT licence), version 5. Of its eight internal seeds, only
// the first and the fifth depend on the user's seed.
type komihash struct{ seed, first, fifth uint64 }

// komiMix adds the upper half of a·b to sum. It returns the lower half XOR the new sum, and the new
// sum.
func komiMix(a, b, sum uint64) (mixed, added uint64) {
	high, low := bits.Mul64(a, b)
	sum += high
	return low ^ sum, sum
}

func (h komihash) HashUint64s(dst, keys []uint64) { hashing.KomiHash(dst, keys, h.seed) }

func (h komihash) HashBytes(dst []uint64, data []byte, ends []int) {
	start := 0
	for i, end := range ends {
		dst[i] = h.sum(data[start:end])
		start = end
	}
}

func (h komihash) sum(key []byte) uint64 {
	first, fifth := h.first, h.fifth
	empty := len(key) == 0
	if len(key) >= 64 {
		first, fifth, key = h.blocks(key)
	}
	for ; len(key) >= 16; key = key[16:] {
		first, fifth = komiMix(binary.LittleEndian.Uint64(key)^first, binary.LittleEndian.Uint64(key[8:])^fifth, fifth)
	}
	a, b := first, fifth
	switch {
	case len(key) >= 8:
		a ^= binary.LittleEndian.Uint64(key)
		b ^= komiTail(key[8:])
	case !empty:
		a ^= komiTail(key)
	}
	first, fifth = komiMix(a, b, fifth)
	first, _ = komiMix(first, fifth, fifth)
	return first
}

// blocks mixes all blocks of 64 bytes into the seeds: four independent products, then their sums
// crosswise. It returns two of the seeds and the rest of the key.
func (h komihash) blocks(key []byte) (first, fifth uint64, rest []byte) {
	var mixed, sums [4]uint64 // seeds 1 to 4, and 5 to 8
	mixed[0], sums[0] = h.first, h.fifth
	for i := 1; i < 4; i++ {
		mixed[i], sums[i] = komiFractions[i]^h.first, komiFractions[4+i]^h.fifth
	}
	for ; len(key) >= 64; key = key[64:] {
		for i := range mixed {
			high, low := bits.Mul64(binary.LittleEndian.Uint64(key[8*i:])^mixed[i], binary.LittleEndian.Uint64(key[32+8*i:])^sums[i])
			mixed[i] = low
			sums[i] += high
		}
		mixed[3] ^= sums[2]
		mixed[0] ^= sums[3]
		mixed[2] ^= sums[1]
		mixed[1] ^= sums[0]
	}
	return mixed[0] ^ mixed[1] ^ mixed[2] ^ mixed[3], sums[0] ^ sums[1] ^ sums[2] ^ sums[3], key
}

// komiTail reads fewer than 8 bytes as a little-endian number and sets the bit above them.
func komiTail(b []byte) uint64 {
	word := uint64(1)
	for i := len(b) - 1; i >= 0; i-- {
		word = word<<8 | uint64(b[i])
	}
	return word
}
