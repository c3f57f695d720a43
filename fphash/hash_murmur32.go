package fphash

import (
	"encoding/binary"
	"math/bits"

	"simhashkit/asm/hashing"
)

var murmur32Family = Family{
	Name: "murmur3-32", Bits: 32, Seeded: true,
	Verification: 0xbc8fc68018c03805,
	New:          func(k Key) (Hash, error) { return murmur32{k.Seed}, nil },
}

// murmur32 is MurmurHash3_x86_32 (Appleby, public domain). The original has a 32-bit seed; the
// upper half of a wider seed is XORed into the lower half.
type murmur32 struct{ seed uint64 }

func (h murmur32) HashUint64s(dst, keys []uint64) { hashing.Murmur32(dst, keys, h.seed) }

func (h murmur32) HashBytes(dst []uint64, data []byte, ends []int) {
	start := 0
	for i, end := range ends {
		dst[i] = uint64(h.sum(data[start:end]))
		start = end
	}
}

func (h murmur32) sum(key []byte) uint32 {
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
	return state ^ state>>16
}

func murmur32Word(k uint32) uint32 { return bits.RotateLeft32(k*0xCC9E2D51, 15) * 0x1B873593 }
