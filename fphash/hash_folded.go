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

func (h wyhash) HashBytes(dst []uint64, data []byte, ends []int) { hashEach(h, dst, data, ends) }

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

func (h rapidhash) HashBytes(dst []uint64, data []byte, ends []int) { hashEach(h, dst, data, ends) }

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

func (h komihash) HashBytes(dst []uint64, data []byte, ends []int) { hashEach(h, dst, data, ends) }

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

func (h a5hash) HashBytes(dst []uint64, data []byte, ends []int) { hashEach(h, dst, data, ends) }

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
