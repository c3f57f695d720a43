package fphash

import "simhashkit/asm/hashing"

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
