// Package libraries hashes with the upstream libraries, one key per call, as a baseline.
package libraries

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"math"

	"github.com/cespare/xxhash/v2"
	"github.com/dchest/siphash"
	"github.com/minio/highwayhash"
	"github.com/spaolacci/murmur3"
	"github.com/zeebo/xxh3"

	"simhashkit/fphash"
)

// constructors return the function that a key selects. own is the function of fphash; they use it
// for byte strings if it calls the library.
var constructors = map[string]func(own fphash.ByteHash, k fphash.Key) fphash.Hash{
	"crc32c":      unkeyed(hashCRC32C),
	"fnv1-64":     unkeyed(hashFNV1),
	"fnv1a128":    func(fphash.ByteHash, fphash.Key) fphash.Hash { return fnv1a128{} },
	"fnv1a64":     unkeyed(hashFNV1a),
	"highway64":   newHighway64,
	"highway128":  newHighway128,
	"highway256":  newHighway256,
	"md5":         unkeyed(hashMD5),
	"murmur3-128": func(own fphash.ByteHash, k fphash.Key) fphash.Hash { return murmur3x64{own, k.Seed} },
	"murmur3-32":  newMurmur32,
	"sha1":        unkeyed(hashSHA1),
	"sha256":      unkeyed(hashSHA256),
	"siphash":     newSipHash,
	"xxh3":        newXXH3,
	"xxh64":       newXXH64,
}

// library hashes integers with a library, and byte strings as fphash does.
type library struct {
	fphash.ByteHash
	hash func(dst, keys []uint64)
}

func (l library) HashUint64s(dst, keys []uint64) { l.hash(dst, keys) }

func unkeyed(hash func(dst, keys []uint64)) func(fphash.ByteHash, fphash.Key) fphash.Hash {
	return func(own fphash.ByteHash, _ fphash.Key) fphash.Hash { return library{own, hash} }
}

// Of returns the family with functions that call its library, or f and false if there is no
// library.
func Of(f fphash.Family) (fphash.Family, bool) {
	construct, ok := constructors[f.Name]
	if !ok {
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
		return construct(bytes, k), nil
	}
	return f, true
}

// putDigest stores a digest of whole words as the code of key i of n.
func putDigest(dst []uint64, n, i int, digest []byte) {
	for ; len(digest) > 0; digest = digest[8:] {
		dst[i] = binary.LittleEndian.Uint64(digest)
		i += n
	}
}

func newXXH64(own fphash.ByteHash, k fphash.Key) fphash.Hash {
	return library{own, func(dst, keys []uint64) {
		var b [8]byte
		for i, key := range keys {
			binary.LittleEndian.PutUint64(b[:], key)
			if k.Seed == 0 {
				dst[i] = xxhash.Sum64(b[:])
				continue
			}
			var d xxhash.Digest // stays on the stack
			d.ResetWithSeed(k.Seed)
			d.Write(b[:])
			dst[i] = d.Sum64()
		}
	}}
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func hashCRC32C(dst, keys []uint64) {
	b := make([]byte, 8)
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b, k)
		dst[i] = uint64(crc32.Checksum(b, castagnoli))
	}
}

// hashFNV1 makes a new hash.Hash64 for each key, as users of hash/fnv do.
func hashFNV1(dst, keys []uint64) {
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		h := fnv.New64() // calling New64 directly keeps it on the stack
		h.Write(b[:])
		dst[i] = h.Sum64()
	}
}

func hashFNV1a(dst, keys []uint64) {
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		h := fnv.New64a()
		h.Write(b[:])
		dst[i] = h.Sum64()
	}
}

type fnv1a128 struct{}

func (fnv1a128) HashUint64s(dst, keys []uint64) {
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		putFNV128(dst, len(keys), i, b[:])
	}
}

func (fnv1a128) HashBytes(dst []uint64, data []byte, ends []int) {
	start := 0
	for i, end := range ends {
		putFNV128(dst, len(ends), i, data[start:end])
		start = end
	}
}

func putFNV128(dst []uint64, n, i int, key []byte) {
	h := fnv.New128a()
	h.Write(key)
	var room [16]byte
	digest := h.Sum(room[:0]) // big-endian
	dst[i], dst[n+i] = binary.BigEndian.Uint64(digest[8:]), binary.BigEndian.Uint64(digest)
}

func hashMD5(dst, keys []uint64) {
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		digest := md5.Sum(b[:])
		putDigest(dst, len(keys), i, digest[:])
	}
}

func hashSHA1(dst, keys []uint64) {
	n := len(keys)
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		digest := sha1.Sum(b[:])
		putDigest(dst, n, i, digest[:16])
		dst[2*n+i] = uint64(binary.LittleEndian.Uint32(digest[16:]))
	}
}

func hashSHA256(dst, keys []uint64) {
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		digest := sha256.Sum256(b[:])
		putDigest(dst, len(keys), i, digest[:])
	}
}

func newXXH3(own fphash.ByteHash, k fphash.Key) fphash.Hash {
	return library{own, func(dst, keys []uint64) {
		var b [8]byte
		for i, key := range keys {
			binary.LittleEndian.PutUint64(b[:], key)
			dst[i] = xxh3.HashSeed(b[:], k.Seed)
		}
	}}
}

// keyBytes returns a key of n bytes, with the seed added to its first word.
func keyBytes(k fphash.Key, n int) []byte {
	key := make([]byte, n)
	copy(key, k.Bytes)
	binary.LittleEndian.PutUint64(key, binary.LittleEndian.Uint64(key)+k.Seed)
	return key
}

func newSipHash(own fphash.ByteHash, k fphash.Key) fphash.Hash {
	key := keyBytes(k, 16)
	k0, k1 := binary.LittleEndian.Uint64(key), binary.LittleEndian.Uint64(key[8:])
	return library{own, func(dst, keys []uint64) {
		var b [8]byte
		for i, key := range keys {
			binary.LittleEndian.PutUint64(b[:], key)
			dst[i] = siphash.Hash(k0, k1, b[:])
		}
	}}
}

func newHighway64(own fphash.ByteHash, k fphash.Key) fphash.Hash {
	secret := keyBytes(k, highwayhash.Size)
	return library{own, func(dst, keys []uint64) {
		var b [8]byte
		for i, key := range keys {
			binary.LittleEndian.PutUint64(b[:], key)
			dst[i] = highwayhash.Sum64(b[:], secret)
		}
	}}
}

func newHighway128(own fphash.ByteHash, k fphash.Key) fphash.Hash {
	secret := keyBytes(k, highwayhash.Size)
	return library{own, func(dst, keys []uint64) {
		var b [8]byte
		for i, key := range keys {
			binary.LittleEndian.PutUint64(b[:], key)
			digest := highwayhash.Sum128(b[:], secret)
			putDigest(dst, len(keys), i, digest[:])
		}
	}}
}

func newHighway256(own fphash.ByteHash, k fphash.Key) fphash.Hash {
	secret := keyBytes(k, highwayhash.Size)
	return library{own, func(dst, keys []uint64) {
		var b [8]byte
		for i, key := range keys {
			binary.LittleEndian.PutUint64(b[:], key)
			digest := highwayhash.Sum(b[:], secret)
			putDigest(dst, len(keys), i, digest[:])
		}
	}}
}

// newMurmur32 calls the library, except on big-endian machines, where it computes other codes.
func newMurmur32(own fphash.ByteHash, k fphash.Key) fphash.Hash {
	if bigEndian {
		return own
	}
	seed := uint32(k.Seed ^ k.Seed>>32)
	return library{own, func(dst, keys []uint64) {
		var b [8]byte
		for i, key := range keys {
			binary.LittleEndian.PutUint64(b[:], key)
			dst[i] = uint64(murmur3.Sum32WithSeed(b[:], seed))
		}
	}}
}

// murmur3x64 calls the library, except where that computes other codes: for seeds of more than 32
// bits, and for byte strings on big-endian machines.
type murmur3x64 struct {
	own  fphash.ByteHash
	seed uint64
}

// bigEndian reports whether the machine stores the most significant byte first.
var bigEndian = binary.NativeEndian.Uint16([]byte{0, 1}) == 1

func (h murmur3x64) HashUint64s(dst, keys []uint64) {
	if h.seed > math.MaxUint32 {
		h.own.HashUint64s(dst, keys)
		return
	}
	n := len(keys)
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		dst[i], dst[n+i] = murmur3.Sum128WithSeed(b[:], uint32(h.seed))
	}
}

func (h murmur3x64) HashBytes(dst []uint64, data []byte, ends []int) {
	if h.seed > math.MaxUint32 || bigEndian {
		h.own.HashBytes(dst, data, ends)
		return
	}
	n, start := len(ends), 0
	for i, end := range ends {
		dst[i], dst[n+i] = murmur3.Sum128WithSeed(data[start:end], uint32(h.seed))
		start = end
	}
}
