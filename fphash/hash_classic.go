package fphash

import (
	"encoding/binary"
	"hash/crc32"
	"math/bits"

	"simhashkit/asm/hashing"
)

var lookup3Family = Family{
	Name: "lookup3", Bits: 64, Seeded: true,
	Verification: 0xde3f73b15f653232, Refused: []Widen{WidenReseed, WidenCounter},
	New: func(k Key) (Hash, error) { return lookup3{uint32(k.Seed >> 32), uint32(k.Seed)}, nil },
}

// lookup3 is Bob Jenkins's hashlittle2 of 2006 (lookup3.c, public domain). The code (c<<32)|b
// combines its two results. The seed (pc<<32)|pb combines its two initial values.
type lookup3 struct{ pc, pb uint32 }

// lookup3Start is the initial value of the three registers, before length and seeds are added.
const lookup3Start = 0xDEADBEEF

func (h lookup3) HashUint64s(dst, keys []uint64) { hashing.Lookup3(dst, keys, h.seed()) }

func (h lookup3) seed() uint64 { return uint64(h.pc)<<32 | uint64(h.pb) }

func (h lookup3) HashBytes(dst []uint64, data []byte, ends []int) { hashEach(h, dst, data, ends) }

func (h lookup3) sum(key []byte) uint64 {
	a := lookup3Start + uint32(len(key)) + h.pc
	b, c := a, a+h.pb
	if len(key) == 0 { // there is no mixing for an empty key
		return uint64(c)<<32 | uint64(b)
	}
	for ; len(key) > 12; key = key[12:] {
		a, b, c = lookup3Mix(
			a+binary.LittleEndian.Uint32(key),
			b+binary.LittleEndian.Uint32(key[4:]),
			c+binary.LittleEndian.Uint32(key[8:]))
	}
	switch {
	case len(key) >= 8:
		a += binary.LittleEndian.Uint32(key)
		b += binary.LittleEndian.Uint32(key[4:])
		c += lookup3Tail(key[8:])
	case len(key) >= 4:
		a += binary.LittleEndian.Uint32(key)
		b += lookup3Tail(key[4:])
	default:
		a += lookup3Tail(key)
	}
	b, c = lookup3Final(a, b, c)
	return uint64(c)<<32 | uint64(b)
}

// lookup3Tail reads 0 to 4 bytes as a little-endian number.
func lookup3Tail(b []byte) (word uint32) {
	switch len(b) {
	case 4:
		return binary.LittleEndian.Uint32(b)
	case 3:
		word = uint32(b[2]) << 16
		fallthrough
	case 2:
		word |= uint32(b[1]) << 8
		fallthrough
	case 1:
		word |= uint32(b[0])
	}
	return word
}

func lookup3Mix(a, b, c uint32) (uint32, uint32, uint32) {
	a -= c
	a ^= bits.RotateLeft32(c, 4)
	c += b
	b -= a
	b ^= bits.RotateLeft32(a, 6)
	a += c
	c -= b
	c ^= bits.RotateLeft32(b, 8)
	b += a
	a -= c
	a ^= bits.RotateLeft32(c, 16)
	c += b
	b -= a
	b ^= bits.RotateLeft32(a, 19)
	a += c
	c -= b
	c ^= bits.RotateLeft32(b, 4)
	b += a
	return a, b, c
}

func lookup3Final(a, b, c uint32) (uint32, uint32) {
	c = (c ^ b) - bits.RotateLeft32(b, 14)
	a = (a ^ c) - bits.RotateLeft32(c, 11)
	b = (b ^ a) - bits.RotateLeft32(a, 25)
	c = (c ^ b) - bits.RotateLeft32(b, 16)
	a = (a ^ c) - bits.RotateLeft32(c, 4)
	b = (b ^ a) - bits.RotateLeft32(a, 14)
	c = (c ^ b) - bits.RotateLeft32(b, 24)
	return b, c
}

var murmur32Family = Family{
	Name: "murmur3-32", Bits: 32, Seeded: true,
	Verification: 0xbc8fc68018c03805,
	New:          func(k Key) (Hash, error) { return murmur32{k.Seed}, nil },
}

// murmur32 is MurmurHash3_x86_32 (Appleby, public domain). The original has a 32-bit seed; the
// upper half of a wider seed is XORed into the lower half.
type murmur32 struct{ seed uint64 }

func (h murmur32) HashUint64s(dst, keys []uint64) { hashing.Murmur32(dst, keys, h.seed) }

func (h murmur32) HashBytes(dst []uint64, data []byte, ends []int) { hashEach(h, dst, data, ends) }

func (h murmur32) sum(key []byte) uint64 {
	state, length := uint32(h.seed^h.seed>>32), uint32(len(key))
	for ; len(key) >= 4; key = key[4:] {
		state ^= murmur32Word(binary.LittleEndian.Uint32(key))
		state = bits.RotateLeft32(state, 13)*5 + 0xE6546B64
	}
	tail := uint32(0)
	for i, b := range key {
		tail |= uint32(b) << (8 * i)
	}
	state ^= murmur32Word(tail) ^ length // a tail of 0 has no effect
	state = (state ^ state>>16) * 0x85EBCA6B
	state = (state ^ state>>13) * 0xC2B2AE35
	return uint64(state ^ state>>16)
}

func murmur32Word(k uint32) uint32 { return bits.RotateLeft32(k*0xCC9E2D51, 15) * 0x1B873593 }

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

func (h fnv1) HashBytes(dst []uint64, data []byte, ends []int) { hashEach(h, dst, data, ends) }

func (fnv1) sum(key []byte) uint64 {
	h := uint64(fnvOffset)
	for _, b := range key {
		h = h*fnvPrime ^ uint64(b)
	}
	return h
}

// fnv1a is FNV-1a of RFC 9923: XOR the next byte, then multiply.
type fnv1a struct{}

func (fnv1a) HashUint64s(dst, keys []uint64) { hashing.FNV1a(dst, keys) }

func (h fnv1a) HashBytes(dst []uint64, data []byte, ends []int) { hashEach(h, dst, data, ends) }

func (fnv1a) sum(key []byte) uint64 {
	h := uint64(fnvOffset)
	for _, b := range key {
		h = (h ^ uint64(b)) * fnvPrime
	}
	return h
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

// crc32cFamily is an example of a bad hash: a linear function of 32 bits. Systems use it as a hash
// because processors have an instruction for it.
var crc32cFamily = Family{
	Name: "crc32c", Bits: 32,
	Verification: 0xfcb740095a1ee236, Refused: []Widen{WidenCounter},
	New: func(Key) (Hash, error) { return crc32c{}, nil },
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// crc32c is CRC-32C (Castagnoli) of RFC 3720.
type crc32c struct{}

func (crc32c) HashUint64s(dst, keys []uint64) { hashing.CRC32C(dst, keys) }

func (h crc32c) HashBytes(dst []uint64, data []byte, ends []int) { hashEach(h, dst, data, ends) }

func (crc32c) sum(key []byte) uint64 { return uint64(crc32.Checksum(key, castagnoli)) }
