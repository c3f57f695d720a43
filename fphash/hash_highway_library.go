package fphash

import (
	"encoding/binary"

	"github.com/minio/highwayhash"
)

// each64 hashes one integer after the other by the library's call for byte strings, as do the next
// two.
func (k *highwayKey) each64(dst, keys []uint64) {
	var b [8]byte
	for i, key := range keys {
		binary.LittleEndian.PutUint64(b[:], key)
		dst[i] = highwayhash.Sum64(b[:], k.bytes[:])
	}
}

func (k *highwayKey) each128(dst, keys []uint64) {
	var b [8]byte
	for i, key := range keys {
		binary.LittleEndian.PutUint64(b[:], key)
		digest := highwayhash.Sum128(b[:], k.bytes[:])
		putDigest(dst, len(keys), i, digest[:])
	}
}

func (k *highwayKey) each256(dst, keys []uint64) {
	var b [8]byte
	for i, key := range keys {
		binary.LittleEndian.PutUint64(b[:], key)
		digest := highwayhash.Sum(b[:], k.bytes[:])
		putDigest(dst, len(keys), i, digest[:])
	}
}
