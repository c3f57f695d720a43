// Package families adds hashes to fphash that need additional libraries. Importing it makes them
// available to fphash.New and Lookup.
//
//	import _ "simhashkit/fphash/families"
//
//	name         bits  seed or key  encodings        widenings
//	xxh3           64  seed         le64, be64, dec  reseed, counter, mix
//	xxh3-128      128  seed         le64, be64, dec  reseed, counter, mix
//	murmur3-128   128  seed         le64, be64, dec  counter, mix
//	siphash        64  16-byte key  le64, be64, dec  reseed, counter, mix
//
// Kernels of package asm/hashing hash many indices at a time. Byte strings are hashed by
// github.com/zeebo/xxh3 and github.com/dchest/siphash; murmur3-128 has its own implementation.
//
// XXH3 is by Yann Collet, MurmurHash3 by Austin Appleby, SipHash by Aumasson and Bernstein. siphash
// is SipHash-2-4. murmur3-128 is MurmurHash3_x64_128 with the words h1 and h2. The original has a
// 32-bit seed.
//
// murmur3-128 cannot be widened by reseed: bits of blocks with consecutive seeds have a correlation
// of 0.5.
package families

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/dchest/siphash"
	"github.com/zeebo/xxh3"

	"simhashkit/asm/hashing"
	"simhashkit/fphash"
	"simhashkit/fphash/internal/kernels"
)

func init() {
	for _, f := range []fphash.Family{murmur3Family, siphashFamily, xxh3Family, xxh3x128Family} {
		if err := fphash.Register(f); err != nil {
			// The name is taken: a mistake in the program that imports both packages.
			panic(err)
		}
	}
}

var xxh3Family = fphash.Family{
	Name: "xxh3", Bits: 64, Seeded: true,
	Verification: 0x2ea479ef1336527c,
	New:          func(k fphash.Key) (fphash.Hash, error) { return xxh3Hash{k.Seed}, nil },
}

type xxh3Hash struct{ seed uint64 }

func (h xxh3Hash) HashUint64s(dst, keys []uint64) { hashing.XXH3(dst, keys, h.seed) }

func (h xxh3Hash) Kernel() (k kernels.Kernel, seed, second uint64) { return kernels.XXH3, h.seed, 0 }

func (h xxh3Hash) HashBytes(dst []uint64, data []byte, ends []int) {
	start := 0
	for i, end := range ends {
		dst[i] = xxh3.HashSeed(data[start:end], h.seed)
		start = end
	}
}

var xxh3x128Family = fphash.Family{
	Name: "xxh3-128", Bits: 128, Seeded: true,
	Verification: 0xbe56743381dd2274,
	New:          func(k fphash.Key) (fphash.Hash, error) { return xxh3x128{k.Seed}, nil },
}

// xxh3x128 is XXH3 with 128 bits, the lower half first.
type xxh3x128 struct{ seed uint64 }

func (h xxh3x128) HashUint64s(dst, keys []uint64) {
	lows, highs := dst[:len(keys)], dst[len(keys):2*len(keys)]
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		sum := xxh3.Hash128Seed(b[:], h.seed)
		lows[i], highs[i] = sum.Lo, sum.Hi
	}
}

func (h xxh3x128) HashBytes(dst []uint64, data []byte, ends []int) {
	n, start := len(ends), 0
	lows, highs := dst[:n], dst[n:2*n]
	for i, end := range ends {
		sum := xxh3.Hash128Seed(data[start:end], h.seed)
		lows[i], highs[i] = sum.Lo, sum.Hi
		start = end
	}
}

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

const siphashKeyBytes = 16

var siphashFamily = fphash.Family{
	Name: "siphash", Bits: 64, KeyBytes: siphashKeyBytes,
	Verification: 0xb569980cdfd7e3cf,
	New: func(k fphash.Key) (fphash.Hash, error) {
		key := k.Bytes
		if key == nil {
			key = make([]byte, siphashKeyBytes)
		}
		if len(key) != siphashKeyBytes {
			return nil, fmt.Errorf("key of %d bytes, expected %d", len(key), siphashKeyBytes)
		}
		return siphash24{binary.LittleEndian.Uint64(key) + k.Seed, binary.LittleEndian.Uint64(key[8:])}, nil
	},
}

// siphash24 is SipHash-2-4 with a key whose halves are k0 and k1.
type siphash24 struct{ k0, k1 uint64 }

func (h siphash24) HashUint64s(dst, keys []uint64) {
	hashing.SipHash(dst, keys, &[2]uint64{h.k0, h.k1})
}

func (h siphash24) Kernel() (k kernels.Kernel, seed, second uint64) {
	return kernels.SipHash, h.k0, h.k1
}

func (h siphash24) HashBytes(dst []uint64, data []byte, ends []int) {
	start := 0
	for i, end := range ends {
		dst[i] = siphash.Hash(h.k0, h.k1, data[start:end])
		start = end
	}
}
