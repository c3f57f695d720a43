package fphash

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/binary"

	"simhashkit/asm/hashing"
)

var (
	sha1Family = Family{
		Name: "sha1", Bits: 160, Verification: 0x2426d1e1f6e3c4d2,
		New:     func(Key) (Hash, error) { return sha1Hash{}, nil },
		Library: func(Key) (Hash, error) { return sha1Library{}, nil },
	}
	sha256Family = Family{
		Name: "sha256", Bits: 256, Verification: 0x0868c9fa3e2bca89,
		New:     func(Key) (Hash, error) { return sha256Hash{}, nil },
		Library: func(Key) (Hash, error) { return sha256Library{}, nil },
	}
)

// sha1Hash is SHA-1; the words are the digest's bytes read little-endian, in order, and the upper
// half of the last one is zero.
type sha1Hash struct{ sha1Keys }

func (sha1Hash) HashUint64s(dst, keys []uint64) { hashing.SHA1(dst, keys) }

func (sha1Hash) hashCounted(dst, keys []uint64, counter byte) {
	hashing.SHA1Counter(dst, keys, counter)
}

// sha1Library hashes one integer after the other by the library's call for byte strings.
type sha1Library struct{ sha1Keys }

func (h sha1Library) HashUint64s(dst, keys []uint64) {
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		h.put(dst, len(keys), i, b[:])
	}
}

// sha1Keys hashes byte strings.
type sha1Keys struct{}

func (h sha1Keys) HashKeys(dst []uint64, data []byte, ends []int) {
	start := 0
	for i, end := range ends {
		h.put(dst, len(ends), i, data[start:end])
		start = end
	}
}

func (sha1Keys) put(dst []uint64, n, i int, key []byte) {
	digest := sha1.Sum(key)
	putDigest(dst, n, i, digest[:16])
	dst[2*n+i] = uint64(binary.LittleEndian.Uint32(digest[16:]))
}

// sha256Hash is SHA-256; the words are the digest's bytes read little-endian, in order.
type sha256Hash struct{ sha256Keys }

func (sha256Hash) HashUint64s(dst, keys []uint64) { hashing.SHA256(dst, keys) }

func (sha256Hash) hashCounted(dst, keys []uint64, counter byte) {
	hashing.SHA256Counter(dst, keys, counter)
}

// sha256Library hashes one integer after the other by the library's call for byte strings.
type sha256Library struct{ sha256Keys }

func (h sha256Library) HashUint64s(dst, keys []uint64) {
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		h.put(dst, len(keys), i, b[:])
	}
}

// sha256Keys hashes byte strings.
type sha256Keys struct{}

func (h sha256Keys) HashKeys(dst []uint64, data []byte, ends []int) {
	start := 0
	for i, end := range ends {
		h.put(dst, len(ends), i, data[start:end])
		start = end
	}
}

func (sha256Keys) put(dst []uint64, n, i int, key []byte) {
	digest := sha256.Sum256(key)
	putDigest(dst, n, i, digest[:])
}
