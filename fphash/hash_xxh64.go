package fphash

import (
	"encoding/binary"
	"math/bits"
	"reflect"
	"unsafe"

	"github.com/cespare/xxhash/v2"

	"simhashkit/asm/hashing"
)

var xxh64Family = Family{
	Name: DefaultHash, Bits: 64, Seeded: true,
	Verification: 0x46b1263f41a768b7,
	New:          func(k Key) (Hash, error) { return xxh64{k.Seed}, nil },
}

type xxh64 struct{ seed uint64 }

func (h xxh64) HashUint64s(dst, keys []uint64) { hashing.XXH64(dst, keys, h.seed) }

func (h xxh64) HashBytes(dst []uint64, data []byte, ends []int) {
	start := 0
	for i, end := range ends {
		dst[i] = h.sum(data[start:end])
		start = end
	}
}

// hashKeys hashes byte strings in place. The compiler can prove that it retains none of them.
func (h xxh64) hashKeys(dst []uint64, keys column) {
	if keys.kind == reflect.Slice {
		for i, key := range elements[[]byte](keys) {
			dst[i] = h.sum(key)
		}
		return
	}
	for i, key := range elements[string](keys) {
		dst[i] = h.sum(unsafe.Slice(unsafe.StringData(key), len(key)))
	}
}

// The primes of XXH64.
const (
	xxhPrime1 = 0x9E3779B185EBCA87
	xxhPrime2 = 0xC2B2AE3D27D4EB4F
	xxhPrime3 = 0x165667B19E3779F9
	xxhPrime4 = 0x85EBCA77C2B2AE63
	xxhPrime5 = 0x27D4EB2F165667C5
)

// sum hashes a key. Keys of at most 31 bytes are hashed here, which is faster than the library
// (Collet, XXH64 of version 0.8, from step 5 on).
func (h xxh64) sum(key []byte) uint64 {
	if len(key) >= 32 {
		return h.long(key)
	}
	sum := h.seed + xxhPrime5 + uint64(len(key))
	for ; len(key) >= 8; key = key[8:] {
		sum ^= bits.RotateLeft64(binary.LittleEndian.Uint64(key)*xxhPrime2, 31) * xxhPrime1
		sum = bits.RotateLeft64(sum, 27)*xxhPrime1 + xxhPrime4
	}
	if len(key) >= 4 {
		sum ^= uint64(binary.LittleEndian.Uint32(key)) * xxhPrime1
		sum = bits.RotateLeft64(sum, 23)*xxhPrime2 + xxhPrime3
		key = key[4:]
	}
	for _, b := range key {
		sum ^= uint64(b) * xxhPrime5
		sum = bits.RotateLeft64(sum, 11) * xxhPrime1
	}
	sum = (sum ^ sum>>33) * xxhPrime2
	sum = (sum ^ sum>>29) * xxhPrime3
	return sum ^ sum>>32
}

// long hashes a key with the library.
func (h xxh64) long(key []byte) uint64 {
	if h.seed == 0 {
		return xxhash.Sum64(key)
	}
	var d xxhash.Digest // stays on the stack
	d.ResetWithSeed(h.seed)
	d.Write(key)
	return d.Sum64()
}
