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

func (h *highway64Library) HashUint64s(dst, keys []uint64) {
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		dst[i] = highwayhash.Sum64(b[:], h.bytes[:])
	}
}

func (h *highway128Library) HashUint64s(dst, keys []uint64) {
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		digest := highwayhash.Sum128(b[:], h.bytes[:])
		putDigest(dst, len(keys), i, digest[:])
	}
}

func (h *highway256Library) HashUint64s(dst, keys []uint64) {
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		digest := highwayhash.Sum(b[:], h.bytes[:])
		putDigest(dst, len(keys), i, digest[:])
	}
}
