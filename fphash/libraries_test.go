package fphash

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/binary"
	"hash/crc32"
	"hash/fnv"
	"slices"
	"testing"

	"github.com/cespare/xxhash/v2"
	"github.com/minio/highwayhash"
)

// byLibrary returns the family computed by the plain calls of the hash's library, one key at a
// time, for integers and byte strings. It reports whether there is such a library.
func byLibrary(t *testing.T, f Family) (Family, bool) {
	t.Helper()
	if librarySum(t, f.Name, Key{}) == nil {
		return f, false
	}
	f.New = func(k Key) (Hash, error) { return FromFunc(f.Name, f.Bits, librarySum(t, f.Name, k)).New(Key{}) }
	return f, true
}

// librarySum returns the library's function for one key, with the seed or key k, or nil if there is
// none.
func librarySum(t *testing.T, name string, k Key) func(dst []uint64, key []byte) {
	t.Helper()
	secret, err := k.material(highwayhash.Size)
	if err != nil {
		t.Fatal(err)
	}
	switch name {
	case "xxh64":
		return func(dst []uint64, key []byte) {
			h := xxhash.NewWithSeed(k.Seed)
			h.Write(key)
			dst[0] = h.Sum64()
		}
	case "fnv1-64":
		return func(dst []uint64, key []byte) { h := fnv.New64(); h.Write(key); dst[0] = h.Sum64() }
	case "fnv1a64":
		return func(dst []uint64, key []byte) { h := fnv.New64a(); h.Write(key); dst[0] = h.Sum64() }
	case "fnv1a128":
		return func(dst []uint64, key []byte) {
			h := fnv.New128a()
			h.Write(key)
			digest := h.Sum(nil) // a number, most significant byte first
			slices.Reverse(digest)
			putBytes(dst, digest)
		}
	case "crc32c":
		table := crc32.MakeTable(crc32.Castagnoli)
		return func(dst []uint64, key []byte) { dst[0] = uint64(crc32.Checksum(key, table)) }
	case "md5":
		return func(dst []uint64, key []byte) { d := md5.Sum(key); putBytes(dst, d[:]) }
	case "sha1":
		return func(dst []uint64, key []byte) { d := sha1.Sum(key); putBytes(dst, d[:]) }
	case "sha256":
		return func(dst []uint64, key []byte) { d := sha256.Sum256(key); putBytes(dst, d[:]) }
	case "highway64":
		return func(dst []uint64, key []byte) { dst[0] = highwayhash.Sum64(key, secret) }
	case "highway128":
		return func(dst []uint64, key []byte) { d := highwayhash.Sum128(key, secret); putBytes(dst, d[:]) }
	case "highway256":
		return func(dst []uint64, key []byte) { d := highwayhash.Sum(key, secret); putBytes(dst, d[:]) }
	}
	return nil
}

// putBytes stores the bytes as words, least significant byte first.
func putBytes(dst []uint64, digest []byte) {
	for ; len(digest) >= 8; digest = digest[8:] {
		dst[0] = binary.LittleEndian.Uint64(digest)
		dst = dst[1:]
	}
	for i, b := range digest {
		dst[0] |= uint64(b) << (8 * i)
	}
}
