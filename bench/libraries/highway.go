package libraries

import (
	"encoding/binary"

	"github.com/minio/highwayhash"

	"simhashkit/fphash"
)

// highway is what the three HighwayHashes have in common.
type highway struct {
	fphash.ByteHash
	key [highwayhash.Size]byte
}

func newHighway(own fphash.ByteHash, k fphash.Key) *highway {
	h := &highway{ByteHash: own}
	copy(h.key[:], k.Bytes)
	first := binary.LittleEndian.Uint64(h.key[:]) + k.Seed
	binary.LittleEndian.PutUint64(h.key[:], first)
	return h
}

type (
	highway64  struct{ *highway }
	highway128 struct{ *highway }
	highway256 struct{ *highway }
)

func newHighway64(own fphash.ByteHash, k fphash.Key) fphash.Hash {
	return highway64{newHighway(own, k)}
}

func newHighway128(own fphash.ByteHash, k fphash.Key) fphash.Hash {
	return highway128{newHighway(own, k)}
}

func newHighway256(own fphash.ByteHash, k fphash.Key) fphash.Hash {
	return highway256{newHighway(own, k)}
}

func (h highway64) HashUint64s(dst, keys []uint64) {
	var b [8]byte
	for i, key := range keys {
		binary.LittleEndian.PutUint64(b[:], key)
		dst[i] = highwayhash.Sum64(b[:], h.key[:])
	}
}

func (h highway128) HashUint64s(dst, keys []uint64) {
	var b [8]byte
	for i, key := range keys {
		binary.LittleEndian.PutUint64(b[:], key)
		digest := highwayhash.Sum128(b[:], h.key[:])
		putDigest(dst, len(keys), i, digest[:])
	}
}

func (h highway256) HashUint64s(dst, keys []uint64) {
	var b [8]byte
	for i, key := range keys {
		binary.LittleEndian.PutUint64(b[:], key)
		digest := highwayhash.Sum(b[:], h.key[:])
		putDigest(dst, len(keys), i, digest[:])
	}
}
