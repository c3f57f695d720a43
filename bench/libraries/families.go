package libraries

import (
	"encoding/binary"

	"github.com/dchest/siphash"
	"github.com/zeebo/xxh3"

	"simhashkit/fphash"
)

type xxh3Hash struct {
	fphash.ByteHash
	seed uint64
}

func newXXH3(own fphash.ByteHash, k fphash.Key) fphash.Hash { return xxh3Hash{own, k.Seed} }

func (h xxh3Hash) HashUint64s(dst, keys []uint64) {
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		dst[i] = xxh3.HashSeed(b[:], h.seed)
	}
}

type sipHash struct {
	fphash.ByteHash
	k0, k1 uint64
}

func newSipHash(own fphash.ByteHash, k fphash.Key) fphash.Hash {
	var key [16]byte
	copy(key[:], k.Bytes)
	return sipHash{own, binary.LittleEndian.Uint64(key[:]) + k.Seed, binary.LittleEndian.Uint64(key[8:])}
}

func (h sipHash) HashUint64s(dst, keys []uint64) {
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		dst[i] = siphash.Hash(h.k0, h.k1, b[:])
	}
}
