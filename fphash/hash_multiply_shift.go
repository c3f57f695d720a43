package fphash

import (
	"math/bits"

	"simhashkit/asm/hashing"
)

var multiplyShiftFamily = Family{
	Name: "multiply-shift", Bits: 64, Seeded: true, Integer: true,
	Verification: 0x744bb21c29d17548, Refused: []Widen{WidenReseed},
	New: func(k Key) (Hash, error) {
		next := seededWords(k.Seed)
		return multiplyShift{next(), next(), next(), next()}, nil
	},
}

// multiplyShift is the strongly universal multiply-shift scheme of Dietzfelbinger (STACS 1996): the
// upper 64 bits of (a·i + b) mod 2^128, a and b numbers of 128 bits from the seed. The codes of any
// two indices are independent over all a and b, which says nothing of three: they are nearly linear
// in the index.
type multiplyShift struct{ aHigh, aLow, bHigh, bLow uint64 }

func (h multiplyShift) HashUint64s(dst, keys []uint64) {
	dst = dst[:len(keys)]
	for i, k := range keys {
		high, low := bits.Mul64(h.aLow, k)
		_, carry := bits.Add64(low, h.bLow, 0)
		dst[i] = high + h.aHigh*k + h.bHigh + carry
	}
}

// seededWords returns a generator of random words, SplitMix64 from mix(seed) on: what hashes with
// random parameters are filled from.
func seededWords(seed uint64) (next func() uint64) {
	const gamma = 0x9E3779B97F4A7C15
	state := hashing.Mix64(seed)
	return func() uint64 {
		state += gamma
		return hashing.Mix64(state)
	}
}
