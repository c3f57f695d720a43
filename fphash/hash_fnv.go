package fphash

import (
	"math/bits"

	"simhashkit/asm/hashing"
)

var (
	fnv1Family = Family{
		Name: "fnv1-64", Bits: 64,
		Verification: 0x8bb3dcdd6ad7f553, Refused: []Widen{WidenCounter},
		New: func(Key) (Hash, error) { return fnv1{}, nil },
	}
	fnv1aFamily = Family{
		Name: "fnv1a64", Bits: 64,
		Verification: 0x427edd1aa78f8738, Refused: []Widen{WidenCounter},
		New: func(Key) (Hash, error) { return fnv1a{}, nil },
	}
)

const (
	fnvOffset = 0xCBF29CE484222325
	fnvPrime  = 0x100000001B3
)

// fnv1 is FNV-1 of RFC 9923: multiply, then XOR the next byte.
type fnv1 struct{}

func (fnv1) HashUint64s(dst, keys []uint64) { hashing.FNV1(dst, keys) }

func (fnv1) HashBytes(dst []uint64, data []byte, ends []int) {
	start := 0
	for i, end := range ends {
		h := uint64(fnvOffset)
		for _, b := range data[start:end] {
			h = h*fnvPrime ^ uint64(b)
		}
		dst[i], start = h, end
	}
}

// fnv1a is FNV-1a of RFC 9923: XOR the next byte, then multiply.
type fnv1a struct{}

func (fnv1a) HashUint64s(dst, keys []uint64) { hashing.FNV1a(dst, keys) }

func (fnv1a) HashBytes(dst []uint64, data []byte, ends []int) {
	start := 0
	for i, end := range ends {
		h := uint64(fnvOffset)
		for _, b := range data[start:end] {
			h = (h ^ uint64(b)) * fnvPrime
		}
		dst[i], start = h, end
	}
}

var fnv1a128Family = Family{
	Name: "fnv1a128", Bits: 128,
	Verification: 0x1e47fc43fa10d6b6, Refused: []Widen{WidenCounter},
	New: func(Key) (Hash, error) { return fnv1a128{}, nil },
}

// The prime is 2^88 + 0x13b, so a product needs one full multiplication of words, one
// multiplication modulo 2^64, and a shift.
const (
	fnv128OffsetHigh = 0x6C62272E07BB0142
	fnv128OffsetLow  = 0x62B821756295C58D
	fnv128PrimeLow   = 0x13B
	fnv128PrimeShift = 88 - 64
)

// fnv1a128 is 128-bit FNV-1a of RFC 9923. Its value is a number: word 0 is the low half.
type fnv1a128 struct{}

func fnv1a128Step(high, low uint64, b byte) (uint64, uint64) {
	low ^= uint64(b)
	carry, product := bits.Mul64(low, fnv128PrimeLow)
	return carry + high*fnv128PrimeLow + low<<fnv128PrimeShift, product
}

func (fnv1a128) HashUint64s(dst, keys []uint64) {
	n := len(keys)
	for i, k := range keys {
		high, low := uint64(fnv128OffsetHigh), uint64(fnv128OffsetLow)
		for range 8 {
			high, low = fnv1a128Step(high, low, byte(k))
			k >>= 8
		}
		dst[i], dst[n+i] = low, high
	}
}

func (fnv1a128) HashBytes(dst []uint64, data []byte, ends []int) {
	n, start := len(ends), 0
	for i, end := range ends {
		high, low := uint64(fnv128OffsetHigh), uint64(fnv128OffsetLow)
		for _, b := range data[start:end] {
			high, low = fnv1a128Step(high, low, b)
		}
		dst[i], dst[n+i], start = low, high, end
	}
}
