package fphash

import "math/bits"

var fnv1a128Family = Family{
	Name: "fnv1a128", Bits: 128,
	Verification: 0x1e47fc43fa10d6b6, Refused: []Widen{WidenCounter},
	New: func(Key) (Hash, error) { return fnv1a128{}, nil },
}

// The prime is 2^88 + 0x13b, so a product needs one multiplication of words, another of the low
// halves and a shift.
const (
	fnv128OffsetHigh = 0x6C62272E07BB0142
	fnv128OffsetLow  = 0x62B821756295C58D
	fnv128PrimeLow   = 0x13B
	fnv128PrimeShift = 88 - 64
)

// fnv1a128 is FNV-1a of 128 bits, of RFC 9923. Its value is a number: word 0 is the low half.
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
