package fphash

import (
	"crypto/fips140"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/binary"
	"errors"

	"simhashkit/asm/hashing"
)

var md5Family = Family{
	Name: "md5", Bits: 128,
	Verification: 0xb8085d01e2c6a869,
	New:          func(Key) (Hash, error) { return md5Hash{}, refusedByFIPS() },
}

// md5Hash is MD5. The words of a code are the digest's bytes, read little-endian, in order.
type md5Hash struct{}

func (md5Hash) HashUint64s(dst, keys []uint64) { hashing.MD5(dst, keys) }

func (md5Hash) hashCounted(dst, keys []uint64, counter byte) { hashing.MD5Counter(dst, keys, counter) }

func (md5Hash) HashBytes(dst []uint64, data []byte, ends []int) {
	start := 0
	for i, end := range ends {
		digest := md5.Sum(data[start:end])
		putDigest(dst, len(ends), i, digest[:])
		start = end
	}
}

// putDigest stores the digest, a whole number of words, as the code of key i of n.
func putDigest(dst []uint64, n, i int, digest []byte) {
	for ; len(digest) > 0; digest = digest[8:] {
		dst[i] = binary.LittleEndian.Uint64(digest)
		i += n
	}
}

var (
	sha1Family = Family{
		Name: "sha1", Bits: 160,
		Verification: 0x2426d1e1f6e3c4d2,
		New:          func(Key) (Hash, error) { return sha1Hash{}, refusedByFIPS() },
	}
	sha256Family = Family{
		Name: "sha256", Bits: 256,
		Verification: 0x0868c9fa3e2bca89,
		New:          func(Key) (Hash, error) { return sha256Hash{}, nil },
	}
)

// sha1Hash is SHA-1. The words of a code are the digest's bytes, read little-endian, in order. The
// upper half of the last word is zero.
type sha1Hash struct{}

func (sha1Hash) HashUint64s(dst, keys []uint64) { hashing.SHA1(dst, keys) }

func (sha1Hash) hashCounted(dst, keys []uint64, counter byte) {
	hashing.SHA1Counter(dst, keys, counter)
}

func (sha1Hash) HashBytes(dst []uint64, data []byte, ends []int) {
	n, start := len(ends), 0
	for i, end := range ends {
		digest := sha1.Sum(data[start:end])
		putDigest(dst, n, i, digest[:16])
		dst[2*n+i] = uint64(binary.LittleEndian.Uint32(digest[16:]))
		start = end
	}
}

// sha256Hash is SHA-256. The words of a code are the digest's bytes, read little-endian, in order.
type sha256Hash struct{}

func (sha256Hash) HashUint64s(dst, keys []uint64) { hashing.SHA256(dst, keys) }

func (sha256Hash) hashCounted(dst, keys []uint64, counter byte) {
	hashing.SHA256Counter(dst, keys, counter)
}

func (sha256Hash) HashBytes(dst []uint64, data []byte, ends []int) {
	n, start := len(ends), 0
	for i, end := range ends {
		digest := sha256.Sum256(data[start:end])
		putDigest(dst, n, i, digest[:])
		start = end
	}
}

// refusedByFIPS returns an error under GODEBUG=fips140=only. There MD5 and SHA-1 of the standard
// library panic, and New should return an error instead.
func refusedByFIPS() error {
	if fips140.Enforced() {
		return errors.New("not allowed under GODEBUG=fips140=only; expected sha256 or a hash that is not cryptographic")
	}
	return nil
}
