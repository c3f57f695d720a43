package fphash

import (
	"encoding/binary"

	"github.com/minio/highwayhash"
)

// These hash one integer after the other by the library's call for byte strings.
type (
	highway64Library  struct{ highway64 }
	highway128Library struct{ highway128 }
	highway256Library struct{ highway256 }
)

func (h *highway64Library) HashUint64s(dst, keys []uint64) { h.each64(dst, keys) }

func (k *highwayKey) each64(dst, keys []uint64) {
	var b [8]byte
	for i, key := range keys {
		binary.LittleEndian.PutUint64(b[:], key)
		dst[i] = highwayhash.Sum64(b[:], k.bytes[:])
	}
}

func (h *highway128Library) HashUint64s(dst, keys []uint64) { h.each128(dst, keys) }

func (k *highwayKey) each128(dst, keys []uint64) {
	var b [8]byte
	for i, key := range keys {
		binary.LittleEndian.PutUint64(b[:], key)
		digest := highwayhash.Sum128(b[:], k.bytes[:])
		putDigest(dst, len(keys), i, digest[:])
	}
}

func (h *highway256Library) HashUint64s(dst, keys []uint64) { h.each256(dst, keys) }

func (k *highwayKey) each256(dst, keys []uint64) {
	var b [8]byte
	for i, key := range keys {
		binary.LittleEndian.PutUint64(b[:], key)
		digest := highwayhash.Sum(b[:], k.bytes[:])
		putDigest(dst, len(keys), i, digest[:])
	}
}
