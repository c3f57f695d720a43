package fphash

import (
	"encoding/binary"
	"runtime"

	"github.com/minio/highwayhash"

	"simhashkit/asm/cpu"
	"simhashkit/asm/hashing"
)

// The 64-bit HighwayHash is a number. The longer ones are digests, whose bytes are read
// little-endian, in order. The three are different functions.
var (
	highway64Family = highwayFamily("highway64", 64, 0x842e1620e8dd7a06,
		func(k highwayKey) Hash { return &highway64{k} })
	highway128Family = highwayFamily("highway128", 128, 0xf8e96f9161262fa0,
		func(k highwayKey) Hash { return &highway128{k} })
	highway256Family = highwayFamily("highway256", 256, 0x7574baa1ff3f61f6,
		func(k highwayKey) Hash { return &highway256{k} })
)

func highwayFamily(name string, bits int, verification uint64, construct func(highwayKey) Hash) Family {
	return Family{Name: name, Bits: bits, KeyBytes: highwayhash.Size, Verification: verification, New: func(k Key) (Hash, error) {
		key, err := newHighwayKey(k)
		if err != nil {
			return nil, err
		}
		return construct(key), nil
	}}
}

// highwayKey is the key in the forms for the library and for the kernels.
type highwayKey struct {
	bytes [highwayhash.Size]byte
	words [highwayhash.Size / 8]uint64
}

func newHighwayKey(k Key) (highwayKey, error) {
	b, err := k.material(highwayhash.Size)
	if err != nil {
		return highwayKey{}, err
	}
	key := highwayKey{bytes: [highwayhash.Size]byte(b)}
	for i := range key.words {
		key.words[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	return key, nil
}

// highwayByLibrary reports whether the library, which hashes one key at a time, is faster. That is
// the case if there is no vector kernel, because the library has its own assembly.
func highwayByLibrary() bool {
	return runtime.GOARCH == "arm64" || runtime.GOARCH == "amd64" && cpu.Active() == cpu.Generic
}

type highway64 struct{ highwayKey }

func (h *highway64) HashUint64s(dst, keys []uint64) {
	if highwayByLibrary() {
		h.each64(dst, keys)
		return
	}
	hashing.Highway64(dst, keys, &h.words)
}

func (h *highway64) HashBytes(dst []uint64, data []byte, ends []int) {
	start := 0
	for i, end := range ends {
		dst[i] = highwayhash.Sum64(data[start:end], h.bytes[:])
		start = end
	}
}

type highway128 struct{ highwayKey }

func (h *highway128) HashUint64s(dst, keys []uint64) {
	if highwayByLibrary() {
		h.each128(dst, keys)
		return
	}
	hashing.Highway128(dst, keys, &h.words)
}

func (h *highway128) HashBytes(dst []uint64, data []byte, ends []int) {
	start := 0
	for i, end := range ends {
		digest := highwayhash.Sum128(data[start:end], h.bytes[:])
		putDigest(dst, len(ends), i, digest[:])
		start = end
	}
}

type highway256 struct{ highwayKey }

func (h *highway256) HashUint64s(dst, keys []uint64) {
	if highwayByLibrary() {
		h.each256(dst, keys)
		return
	}
	hashing.Highway256(dst, keys, &h.words)
}

func (h *highway256) HashBytes(dst []uint64, data []byte, ends []int) {
	start := 0
	for i, end := range ends {
		digest := highwayhash.Sum(data[start:end], h.bytes[:])
		putDigest(dst, len(ends), i, digest[:])
		start = end
	}
}

// each64 hashes integers with the library's function for one byte string, and so do the next two
// functions.
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
