package fphash

import (
	"math/bits"

	"simhashkit/asm/hashing"
)

var splitMix64Family = Family{
	Name: "splitmix64", Bits: 64, Seeded: true, Integer: true,
	Verification: 0x53751d7371d89be5,
	New:          func(k Key) (Hash, error) { return splitMix64{k.Seed}, nil },
}

// splitMix64 is mix((i XOR mix(seed)) + γ), with the finaliser and increment of the SplitMix64
// generator.
type splitMix64 struct{ seed uint64 }

func (h splitMix64) HashUint64s(dst, keys []uint64) { hashing.SplitMix64(dst, keys, h.seed) }

var fmix64Family = Family{
	Name: "fmix64", Bits: 64, Seeded: true, Integer: true,
	Verification: 0xa7ec14a067b2211e,
	New:          func(k Key) (Hash, error) { return fmix64{k.Seed}, nil },
}

// fmix64 is the finaliser of MurmurHash3 as a hash of the index itself: f(i XOR f(seed)). With seed
// 0 it is f(i), as in hash tables of integers, so the code of index 0 is 0.
type fmix64 struct{ seed uint64 }

func (h fmix64) HashUint64s(dst, keys []uint64) { hashing.Fmix64(dst, keys, h.seed) }

var mixedTabulationFamily = Family{
	Name: "mixed-tabulation", Bits: 64, Seeded: true, Integer: true,
	Verification: 0x72763cd6fb5fdad8,
	New:          func(k Key) (Hash, error) { return newMixedTabulation(k.Seed), nil },
}

// mixedTabulation is mixed tabulation of Dahlgaard, Knudsen, Rotenberg and Thorup (FOCS 2015). Each
// of the index's 8 bytes selects a random word and 8 random bytes, the derived characters. The code
// is the XOR of these words and of a word for each byte of the XOR of the derived characters.
// Dahlgaard, Knudsen and Thorup (NIPS 2017) prove that it has the properties that feature hashing
// and similarity estimation need. The tables take 48 KiB and are filled from the seed, in the order
// of their declaration.
type mixedTabulation struct {
	first  [8][256]struct{ code, derived uint64 }
	second [8][256]uint64
}

func newMixedTabulation(seed uint64) *mixedTabulation {
	next := seededWords(seed)
	h := new(mixedTabulation)
	for i := range h.first {
		for b := range h.first[i] {
			h.first[i][b].code, h.first[i][b].derived = next(), next()
		}
	}
	for i := range h.second {
		for b := range h.second[i] {
			h.second[i][b] = next()
		}
	}
	return h
}

func (h *mixedTabulation) HashUint64s(dst, keys []uint64) {
	dst = dst[:len(keys)]
	for i, k := range keys {
		e0, e1, e2, e3 := &h.first[0][byte(k)], &h.first[1][byte(k>>8)], &h.first[2][byte(k>>16)], &h.first[3][byte(k>>24)]
		e4, e5, e6, e7 := &h.first[4][byte(k>>32)], &h.first[5][byte(k>>40)], &h.first[6][byte(k>>48)], &h.first[7][k>>56]
		d := e0.derived ^ e1.derived ^ e2.derived ^ e3.derived ^ e4.derived ^ e5.derived ^ e6.derived ^ e7.derived
		dst[i] = e0.code ^ e1.code ^ e2.code ^ e3.code ^ e4.code ^ e5.code ^ e6.code ^ e7.code ^
			h.second[0][byte(d)] ^ h.second[1][byte(d>>8)] ^ h.second[2][byte(d>>16)] ^ h.second[3][byte(d>>24)] ^
			h.second[4][byte(d>>32)] ^ h.second[5][byte(d>>40)] ^ h.second[6][byte(d>>48)] ^ h.second[7][d>>56]
	}
}

var tornadoTabulationFamily = Family{
	Name: "tornado-tabulation", Bits: 64, Seeded: true, Integer: true,
	Verification: 0x0ef95905709d3d97,
	New:          func(k Key) (Hash, error) { return newTornadoTabulation(k.Seed), nil },
}

// tornadoTabulation is tornado tabulation of Bercea, Beretta, Klausen, Houen and Thorup (FOCS
// 2023). The first 7 bytes of the index select random words. The last byte is XORed with a byte
// derived from them, and 4 further bytes are derived one by one, each from all bytes before it. The
// code is the XOR of one word for each of these 12 bytes. The tables take 48 KiB and are filled
// from the seed in order.
type tornadoTabulation [12][256]struct{ code, derived uint64 }

func newTornadoTabulation(seed uint64) *tornadoTabulation {
	next := seededWords(seed)
	h := new(tornadoTabulation)
	for i := range h {
		for b := range h[i] {
			h[i][b].code, h[i][b].derived = next(), next()
		}
	}
	return h
}

func (h *tornadoTabulation) HashUint64s(dst, keys []uint64) {
	dst = dst[:len(keys)]
	for i, k := range keys {
		e0, e1, e2, e3 := &h[0][byte(k)], &h[1][byte(k>>8)], &h[2][byte(k>>16)], &h[3][byte(k>>24)]
		e4, e5, e6 := &h[4][byte(k>>32)], &h[5][byte(k>>40)], &h[6][byte(k>>48)]
		code := e0.code ^ e1.code ^ e2.code ^ e3.code ^ e4.code ^ e5.code ^ e6.code
		d := e0.derived ^ e1.derived ^ e2.derived ^ e3.derived ^ e4.derived ^ e5.derived ^ e6.derived ^ k>>56
		for t := 7; t < len(h); t++ {
			e := &h[t][byte(d)]
			code ^= e.code
			d = d>>8 ^ e.derived
		}
		dst[i] = code
	}
}

var multiplyShiftFamily = Family{
	Name: "multiply-shift", Bits: 64, Seeded: true, Integer: true,
	Verification: 0x744bb21c29d17548, Refused: []Widen{WidenReseed},
	New: func(k Key) (Hash, error) {
		next := seededWords(k.Seed)
		return multiplyShift{next(), next(), next(), next()}, nil
	},
}

// multiplyShift is the strongly universal multiply-shift scheme of Dietzfelbinger (STACS 1996): the
// upper 64 bits of (a·i + b) mod 2^128, with 128-bit numbers a and b from the seed. The codes of
// any two indices are independent for random a and b. Those of three indices are not: codes are
// nearly linear in the index.
type multiplyShift struct{ aHigh, aLow, bHigh, bLow uint64 }

func (h multiplyShift) HashUint64s(dst, keys []uint64) {
	dst = dst[:len(keys)]
	for i, k := range keys {
		high, low := bits.Mul64(h.aLow, k)
		_, carry := bits.Add64(low, h.bLow, 0)
		dst[i] = high + h.aHigh*k + h.bHigh + carry
	}
}

// seededWords returns a SplitMix64 generator with the initial state mix(seed). It supplies the
// random parameters of hashes.
func seededWords(seed uint64) (next func() uint64) {
	const gamma = 0x9E3779B97F4A7C15
	state := hashing.Mix64(seed)
	return func() uint64 {
		state += gamma
		return hashing.Mix64(state)
	}
}

// identityFamily is for features that another package has already hashed: the code of an index is
// the index. Fingerprints of dimension numbers or word ranks would be meaningless.
var identityFamily = Family{
	Name: "identity", Bits: 64, Integer: true,
	Verification: 0xba88c9d92989cd38,
	New:          func(Key) (Hash, error) { return identity{}, nil },
}

type identity struct{}

func (identity) HashUint64s(dst, keys []uint64) { copy(dst, keys) }
