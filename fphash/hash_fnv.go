package fphash

import (
	"encoding/binary"
	"hash/fnv"

	"simhashkit/asm/hashing"
)

var (
	fnv1Family = Family{
		Name: "fnv1-64", Bits: 64, Refuses: []Widen{WidenCounter}, Verification: 0x8bb3dcdd6ad7f553,
		New:     func(Key) (Hash, error) { return fnv1{}, nil },
		Library: func(Key) (Hash, error) { return fnv1Library{}, nil },
	}
	fnv1aFamily = Family{
		Name: "fnv1a64", Bits: 64, Refuses: []Widen{WidenCounter}, Verification: 0x427edd1aa78f8738,
		New:     func(Key) (Hash, error) { return fnv1a{}, nil },
		Library: func(Key) (Hash, error) { return fnv1aLibrary{}, nil },
	}
)

const (
	fnvOffset = 0xCBF29CE484222325
	fnvPrime  = 0x100000001B3
)

// fnv1 is FNV-1 of RFC 9923: multiply, then XOR the next byte.
type fnv1 struct{}

func (fnv1) HashUint64s(dst, keys []uint64) { hashing.FNV1(dst, keys) }

func (fnv1) HashKeys(dst []uint64, data []byte, ends []int) {
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

func (fnv1a) HashKeys(dst []uint64, data []byte, ends []int) {
	start := 0
	for i, end := range ends {
		h := uint64(fnvOffset)
		for _, b := range data[start:end] {
			h = (h ^ uint64(b)) * fnvPrime
		}
		dst[i], start = h, end
	}
}

// fnv1Library hashes one integer after the other by a new hash.Hash64 each, as users of hash/fnv
// do.
type fnv1Library struct{ fnv1 }

func (fnv1Library) HashUint64s(dst, keys []uint64) {
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		h := fnv.New64() // named outright, or it would go to the heap
		h.Write(b[:])
		dst[i] = h.Sum64()
	}
}

// fnv1aLibrary is the same for FNV-1a.
type fnv1aLibrary struct{ fnv1a }

func (fnv1aLibrary) HashUint64s(dst, keys []uint64) {
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		h := fnv.New64a()
		h.Write(b[:])
		dst[i] = h.Sum64()
	}
}
