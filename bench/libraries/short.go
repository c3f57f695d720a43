package libraries

import (
	"encoding/binary"
	"hash/crc32"
	"hash/fnv"

	"github.com/cespare/xxhash/v2"

	"simhashkit/fphash"
)

type xxh64 struct {
	fphash.ByteHash
	seed uint64
}

func newXXH64(own fphash.ByteHash, k fphash.Key) fphash.Hash { return xxh64{own, k.Seed} }

func (h xxh64) HashUint64s(dst, keys []uint64) {
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		dst[i] = h.sum(b[:])
	}
}

func (h xxh64) sum(key []byte) uint64 {
	if h.seed == 0 {
		return xxhash.Sum64(key)
	}
	var d xxhash.Digest // stays on the stack
	d.ResetWithSeed(h.seed)
	d.Write(key)
	return d.Sum64()
}

type crc32c struct{ fphash.ByteHash }

func newCRC32C(own fphash.ByteHash, _ fphash.Key) fphash.Hash { return crc32c{own} }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func (crc32c) HashUint64s(dst, keys []uint64) {
	b := make([]byte, 8)
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b, k)
		dst[i] = uint64(crc32.Checksum(b, castagnoli))
	}
}

// fnv1 makes a new hash.Hash64 for each key, as users of hash/fnv do.
type fnv1 struct{ fphash.ByteHash }

func newFNV1(own fphash.ByteHash, _ fphash.Key) fphash.Hash { return fnv1{own} }

func (fnv1) HashUint64s(dst, keys []uint64) {
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		h := fnv.New64() // named outright, or it would go to the heap
		h.Write(b[:])
		dst[i] = h.Sum64()
	}
}

type fnv1a struct{ fphash.ByteHash }

func newFNV1a(own fphash.ByteHash, _ fphash.Key) fphash.Hash { return fnv1a{own} }

func (fnv1a) HashUint64s(dst, keys []uint64) {
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		h := fnv.New64a()
		h.Write(b[:])
		dst[i] = h.Sum64()
	}
}

type fnv1a128 struct{}

func newFNV1a128(fphash.ByteHash, fphash.Key) fphash.Hash { return fnv1a128{} }

func (fnv1a128) HashUint64s(dst, keys []uint64) {
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		putFNV128(dst, len(keys), i, b[:])
	}
}

func (fnv1a128) HashBytes(dst []uint64, data []byte, ends []int) {
	start := 0
	for i, end := range ends {
		putFNV128(dst, len(ends), i, data[start:end])
		start = end
	}
}

func putFNV128(dst []uint64, n, i int, key []byte) {
	h := fnv.New128a()
	h.Write(key)
	var room [16]byte
	digest := h.Sum(room[:0]) // big-endian
	dst[i], dst[n+i] = binary.BigEndian.Uint64(digest[8:]), binary.BigEndian.Uint64(digest)
}
