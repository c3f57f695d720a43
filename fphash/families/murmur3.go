package families

import (
	"encoding/binary"
	"math/bits"

	"simhashkit/asm/hashing"
	"simhashkit/fphash"
	"simhashkit/fphash/internal/kernels"
)

var murmur3Family = fphash.Family{
	// With 8-byte keys and consecutive seeds, half of the keys leave one of the two terms of word 1
	// unchanged, which gives a correlation of 0.5.
	Name: "murmur3-128", Bits: 128, Seeded: true,
	Verification: 0xfce1584a4b9af8ee, Refused: []fphash.Widen{fphash.WidenReseed},
	New: func(k fphash.Key) (fphash.Hash, error) { return murmur3x64{k.Seed}, nil },
}

// murmur3x64 is MurmurHash3_x64_128. It has its own implementation because the library reads words
// in the machine's byte order, so it is a different function on big-endian machines. Both halves of
// the state start with the seed. The original has a 32-bit seed; a 64-bit seed extends it.
type murmur3x64 struct{ seed uint64 }

const (
	murmur3C1 = 0x87C37B91114253D5
	murmur3C2 = 0x4CF5AD432745937F
)

func (h murmur3x64) HashUint64s(dst, keys []uint64) { hashing.Murmur3(dst, keys, h.seed) }

func (h murmur3x64) Kernel() (k kernels.Kernel, seed, second uint64) {
	return kernels.Murmur3, h.seed, 0
}

func (h murmur3x64) HashBytes(dst []uint64, data []byte, ends []int) {
	n, start := len(ends), 0
	h1s, h2s := dst[:n], dst[n:2*n]
	for i, end := range ends {
		h1s[i], h2s[i] = h.sum(data[start:end])
		start = end
	}
}

func (h murmur3x64) sum(key []byte) (h1, h2 uint64) {
	h1, h2 = h.seed, h.seed
	length := uint64(len(key))
	for ; len(key) >= 16; key = key[16:] {
		h1 ^= murmur3Word1(binary.LittleEndian.Uint64(key))
		h1 = (bits.RotateLeft64(h1, 27)+h2)*5 + 0x52DCE729
		h2 ^= murmur3Word2(binary.LittleEndian.Uint64(key[8:]))
		h2 = (bits.RotateLeft64(h2, 31)+h1)*5 + 0x38495AB5
	}
	if len(key) > 8 {
		h1 ^= murmur3Word1(binary.LittleEndian.Uint64(key))
		h2 ^= murmur3Word2(murmur3Tail(key[8:]))
	} else if len(key) > 0 {
		h1 ^= murmur3Word1(murmur3Tail(key))
	}
	return murmur3Finish(h1, h2, length)
}

// murmur3Tail reads 1 to 8 bytes as a little-endian number.
func murmur3Tail(b []byte) (word uint64) {
	for i := len(b) - 1; i >= 0; i-- {
		word = word<<8 | uint64(b[i])
	}
	return word
}

func murmur3Word1(k uint64) uint64 { return bits.RotateLeft64(k*murmur3C1, 31) * murmur3C2 }

func murmur3Word2(k uint64) uint64 { return bits.RotateLeft64(k*murmur3C2, 33) * murmur3C1 }

func murmur3Finish(h1, h2, length uint64) (uint64, uint64) {
	h1 ^= length
	h2 ^= length
	h1 += h2
	h2 += h1
	h1 = murmur3Mix(h1)
	h2 = murmur3Mix(h2)
	h1 += h2
	return h1, h2 + h1
}

func murmur3Mix(k uint64) uint64 {
	k = (k ^ k>>33) * 0xFF51AFD7ED558CCD
	k = (k ^ k>>33) * 0xC4CEB9FE1A85EC53
	return k ^ k>>33
}
