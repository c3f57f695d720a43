package fphash

import (
	"encoding/binary"
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

func (h lookup3) HashBytes(dst []uint64, data []byte, ends []int) {
	start := 0
	for i, end := range ends {
		dst[i] = h.sum(data[start:end])
		start = end
	}
}

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
