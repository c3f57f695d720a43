// Package libraries hashes integers with the upstream libraries, one key per call, as a baseline.
package libraries

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"hash/fnv"

	"github.com/cespare/xxhash/v2"
	"github.com/dchest/siphash"
	"github.com/minio/highwayhash"
	"github.com/spaolacci/murmur3"
	"github.com/zeebo/xxh3"

	"simhashkit/fphash"
)

// functions hash little-endian integers with the seed 0 or a key of zeros.
var functions = map[string]func(dst, keys []uint64){
	"crc32c":      crc32c,
	"fnv1-64":     fnv1,
	"fnv1a128":    fnv1a128,
	"fnv1a64":     fnv1a,
	"highway64":   highway64,
	"highway128":  highway128,
	"highway256":  highway256,
	"md5":         md5Sum,
	"murmur3-128": murmur128,
	"murmur3-32":  murmur32,
	"sha1":        sha1Sum,
	"sha256":      sha256Sum,
	"siphash":     sip,
	"xxh3":        xxh3Sum,
	"xxh64":       xxh64,
}

// library hashes integers with a library, and byte strings as fphash does.
type library struct {
	fphash.ByteHash
	hash func(dst, keys []uint64)
}

func (l library) HashUint64s(dst, keys []uint64) { l.hash(dst, keys) }

// Of returns the family with a function that calls its library, or f and false if there is no
// library. New then takes no other seed than 0, and no other key than zeros.
func Of(f fphash.Family) (fphash.Family, bool) {
	hash, ok := functions[f.Name]
	if !ok || f.Name == "murmur3-32" && bigEndian {
		return f, false
	}
	build := f.New
	f.New = func(k fphash.Key) (fphash.Hash, error) {
		own, err := build(k)
		if err != nil {
			return nil, err
		}
		bytes, ok := own.(fphash.ByteHash)
		if !ok {
			return nil, fmt.Errorf("libraries: hash %s takes no byte strings, but its library does", f.Name)
		}
		return library{bytes, hash}, nil
	}
	return f, true
}

// bigEndian reports whether the machine stores the most significant byte first. The library of
// murmur3-32 computes other codes there.
var bigEndian = binary.NativeEndian.Uint16([]byte{0, 1}) == 1

// putDigest stores a digest of whole words as the code of key i of n.
func putDigest(dst []uint64, n, i int, digest []byte) {
	for ; len(digest) > 0; digest = digest[8:] {
		dst[i] = binary.LittleEndian.Uint64(digest)
		i += n
	}
}

var (
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
	highwayKey = make([]byte, highwayhash.Size)
)

// Each function has a loop of its own, in which the compiler keeps the key on the stack and inlines
// what it can.

func xxh64(dst, keys []uint64) {
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		dst[i] = xxhash.Sum64(b[:])
	}
}

func crc32c(dst, keys []uint64) {
	b := make([]byte, 8)
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b, k)
		dst[i] = uint64(crc32.Checksum(b, castagnoli))
	}
}

// fnv1 makes a new hash.Hash64 for each key, as users of hash/fnv do.
func fnv1(dst, keys []uint64) {
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		h := fnv.New64() // calling New64 directly keeps it on the stack
		h.Write(b[:])
		dst[i] = h.Sum64()
	}
}

func fnv1a(dst, keys []uint64) {
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		h := fnv.New64a()
		h.Write(b[:])
		dst[i] = h.Sum64()
	}
}

func fnv1a128(dst, keys []uint64) {
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		var room [16]byte
		h := fnv.New128a()
		h.Write(b[:])
		digest := h.Sum(room[:0]) // big-endian
		dst[i], dst[len(keys)+i] = binary.BigEndian.Uint64(digest[8:]), binary.BigEndian.Uint64(digest)
	}
}

func md5Sum(dst, keys []uint64) {
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		digest := md5.Sum(b[:])
		putDigest(dst, len(keys), i, digest[:])
	}
}

func sha1Sum(dst, keys []uint64) {
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		digest := sha1.Sum(b[:])
		putDigest(dst, len(keys), i, digest[:16])
		dst[2*len(keys)+i] = uint64(binary.LittleEndian.Uint32(digest[16:]))
	}
}

func sha256Sum(dst, keys []uint64) {
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		digest := sha256.Sum256(b[:])
		putDigest(dst, len(keys), i, digest[:])
	}
}

func xxh3Sum(dst, keys []uint64) {
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		dst[i] = xxh3.Hash(b[:])
	}
}

func sip(dst, keys []uint64) {
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		dst[i] = siphash.Hash(0, 0, b[:])
	}
}

func highway64(dst, keys []uint64) {
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		dst[i] = highwayhash.Sum64(b[:], highwayKey)
	}
}

func highway128(dst, keys []uint64) {
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		digest := highwayhash.Sum128(b[:], highwayKey)
		putDigest(dst, len(keys), i, digest[:])
	}
}

func highway256(dst, keys []uint64) {
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		digest := highwayhash.Sum(b[:], highwayKey)
		putDigest(dst, len(keys), i, digest[:])
	}
}

func murmur32(dst, keys []uint64) {
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		dst[i] = uint64(murmur3.Sum32(b[:]))
	}
}

func murmur128(dst, keys []uint64) {
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		dst[i], dst[len(keys)+i] = murmur3.Sum128(b[:])
	}
}
