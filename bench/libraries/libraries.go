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
	"crc32c":      func(own fphash.ByteHash, k fphash.Key) fphash.Hash { return crc32c{own} },
	"fnv1-64":     func(own fphash.ByteHash, k fphash.Key) fphash.Hash { return fnv1{own} },
	"fnv1a128":    func(own fphash.ByteHash, k fphash.Key) fphash.Hash { return fnv1a128{} },
	"fnv1a64":     func(own fphash.ByteHash, k fphash.Key) fphash.Hash { return fnv1a{own} },
	"highway64":   func(own fphash.ByteHash, k fphash.Key) fphash.Hash { return highway64{newHighway(own, k)} },
	"highway128":  func(own fphash.ByteHash, k fphash.Key) fphash.Hash { return highway128{newHighway(own, k)} },
	"highway256":  func(own fphash.ByteHash, k fphash.Key) fphash.Hash { return highway256{newHighway(own, k)} },
	"md5":         func(own fphash.ByteHash, k fphash.Key) fphash.Hash { return md5Hash{own} },
	"murmur3-128": func(own fphash.ByteHash, k fphash.Key) fphash.Hash { return murmur3x64{own, k.Seed} },
	"sha1":        func(own fphash.ByteHash, k fphash.Key) fphash.Hash { return sha1Hash{own} },
	"sha256":      func(own fphash.ByteHash, k fphash.Key) fphash.Hash { return sha256Hash{own} },
	"siphash":     newSipHash,
	"xxh3":        func(own fphash.ByteHash, k fphash.Key) fphash.Hash { return xxh3Hash{own, k.Seed} },
	"xxh64":       func(own fphash.ByteHash, k fphash.Key) fphash.Hash { return xxh64{own, k.Seed} },
}

type (
	crc32c     struct{ fphash.ByteHash }
	md5Hash    struct{ fphash.ByteHash }
	sha1Hash   struct{ fphash.ByteHash }
	sha256Hash struct{ fphash.ByteHash }
	fnv1a      struct{ fphash.ByteHash }
)

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

type xxh64 struct {
	fphash.ByteHash
	seed uint64
}

func (h xxh64) HashUint64s(dst, keys []uint64) {
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		dst[i] = h.sum(b[:])
	}
}

func (h xxh64) sum(key []byte) uint64 {
	if h.seed == 0 {
		return xxhash.Sum64(key)
	}
	var d xxhash.Digest // stays on the stack
	d.ResetWithSeed(h.seed)
	d.Write(key)
	return d.Sum64()
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func (crc32c) HashUint64s(dst, keys []uint64) {
	b := make([]byte, 8)
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b, k)
		dst[i] = uint64(crc32.Checksum(b, castagnoli))
	}
}

// fnv1 makes a new hash.Hash64 for each key, as users of hash/fnv do.
type fnv1 struct{ fphash.ByteHash }

func (fnv1) HashUint64s(dst, keys []uint64) {
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		h := fnv.New64() // calling New64 directly keeps it on the stack
		h.Write(b[:])
		dst[i] = h.Sum64()
	}
}

func (fnv1a) HashUint64s(dst, keys []uint64) {
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

func (md5Hash) HashUint64s(dst, keys []uint64) {
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		digest := md5.Sum(b[:])
		putDigest(dst, len(keys), i, digest[:])
	}
}

func (sha1Hash) HashUint64s(dst, keys []uint64) {
	n := len(keys)
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		digest := sha1.Sum(b[:])
		putDigest(dst, n, i, digest[:16])
		dst[2*n+i] = uint64(binary.LittleEndian.Uint32(digest[16:]))
	}
}

func (sha256Hash) HashUint64s(dst, keys []uint64) {
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		digest := sha256.Sum256(b[:])
		putDigest(dst, len(keys), i, digest[:])
	}
}

type xxh3Hash struct {
	fphash.ByteHash
	seed uint64
}

func (h xxh3Hash) HashUint64s(dst, keys []uint64) {
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		dst[i] = xxh3.HashSeed(b[:], h.seed)
	}
}

type sipHash struct {
	fphash.ByteHash
	k0, k1 uint64
}

func newSipHash(own fphash.ByteHash, k fphash.Key) fphash.Hash {
	var key [16]byte
	copy(key[:], k.Bytes)
	return sipHash{own, binary.LittleEndian.Uint64(key[:]) + k.Seed, binary.LittleEndian.Uint64(key[8:])}
}

func (h sipHash) HashUint64s(dst, keys []uint64) {
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		dst[i] = siphash.Hash(h.k0, h.k1, b[:])
	}
}

// highway is the part that the three HighwayHashes share.
type highway struct {
	fphash.ByteHash
	key [highwayhash.Size]byte
}

func newHighway(own fphash.ByteHash, k fphash.Key) *highway {
	h := &highway{ByteHash: own}
	copy(h.key[:], k.Bytes)
	first := binary.LittleEndian.Uint64(h.key[:]) + k.Seed
	binary.LittleEndian.PutUint64(h.key[:], first)
	return h
}

type (
	highway64  struct{ *highway }
	highway128 struct{ *highway }
	highway256 struct{ *highway }
)

func (h highway64) HashUint64s(dst, keys []uint64) {
	var b [8]byte
	for i, key := range keys {
		binary.LittleEndian.PutUint64(b[:], key)
		dst[i] = highwayhash.Sum64(b[:], h.key[:])
	}
}

func (h highway128) HashUint64s(dst, keys []uint64) {
	var b [8]byte
	for i, key := range keys {
		binary.LittleEndian.PutUint64(b[:], key)
		digest := highwayhash.Sum128(b[:], h.key[:])
		putDigest(dst, len(keys), i, digest[:])
	}
}

func (h highway256) HashUint64s(dst, keys []uint64) {
	var b [8]byte
	for i, key := range keys {
		binary.LittleEndian.PutUint64(b[:], key)
		digest := highwayhash.Sum(b[:], h.key[:])
		putDigest(dst, len(keys), i, digest[:])
	}
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
