package fphash

import (
	"crypto/fips140"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"runtime"

	"github.com/minio/highwayhash"

	"simhashkit/asm/cpu"
	"simhashkit/asm/hashing"
)

var (
	md5Family = Family{
		Name: "md5", Bits: 128,
		Verification: 0xb8085d01e2c6a869,
		New:          func(Key) (Hash, error) { return md5Hash, refusedByFIPS() },
	}
	sha1Family = Family{
		Name: "sha1", Bits: 160,
		Verification: 0x2426d1e1f6e3c4d2,
		New:          func(Key) (Hash, error) { return sha1Hash, refusedByFIPS() },
	}
	sha256Family = Family{
		Name: "sha256", Bits: 256,
		Verification: 0x0868c9fa3e2bca89,
		New:          func(Key) (Hash, error) { return sha256Hash, nil },
	}
)

// digestHash is MD5, SHA-1 or SHA-256. The words of a code are the digest's bytes, read
// little-endian, in order. The upper half of the last word of SHA-1 is zero.
type digestHash uint8

const (
	md5Hash digestHash = iota
	sha1Hash
	sha256Hash
)

func (h digestHash) HashUint64s(dst, keys []uint64) { h.hashCounted(dst, keys, 0) }

func (h digestHash) hashCounted(dst, keys []uint64, counter byte) {
	switch h {
	case md5Hash:
		hashing.MD5(dst, keys, counter)
	case sha1Hash:
		hashing.SHA1(dst, keys, counter)
	case sha256Hash:
		hashing.SHA256(dst, keys, counter)
	}
}

func (h digestHash) HashBytes(dst []uint64, data []byte, ends []int) {
	n, start := len(ends), 0
	for i, end := range ends {
		switch key := data[start:end]; h {
		case md5Hash:
			digest := md5.Sum(key)
			putDigest(dst, n, i, digest[:])
		case sha1Hash:
			digest := sha1.Sum(key)
			putDigest(dst, n, i, digest[:])
		case sha256Hash:
			digest := sha256.Sum256(key)
			putDigest(dst, n, i, digest[:])
		}
		start = end
	}
}

// putDigest stores the digest as the code of key i of n. Its last word may have 4 bytes.
func putDigest(dst []uint64, n, i int, digest []byte) {
	for ; len(digest) >= 8; digest = digest[8:] {
		dst[i] = binary.LittleEndian.Uint64(digest)
		i += n
	}
	if len(digest) > 0 {
		dst[i] = uint64(binary.LittleEndian.Uint32(digest))
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

var (
	highway64Family  = highwayFamily("highway64", 64, 0x842e1620e8dd7a06)
	highway128Family = highwayFamily("highway128", 128, 0xf8e96f9161262fa0)
	highway256Family = highwayFamily("highway256", 256, 0x7574baa1ff3f61f6)
)

func highwayFamily(name string, bits int, verification uint64) Family {
	return Family{Name: name, Bits: bits, KeyBytes: highwayhash.Size, Verification: verification, New: func(k Key) (Hash, error) {
		key, err := k.material(highwayhash.Size)
		if err != nil {
			return nil, err
		}
		h := &highway{bits: bits, key: [highwayhash.Size]byte(key)}
		for i := range h.words {
			h.words[i] = binary.LittleEndian.Uint64(key[8*i:])
		}
		return h, nil
	}}
}

// highway is HighwayHash of 64, 128 or 256 bits: three different functions. The 64-bit HighwayHash
// is a number. The longer ones are digests, whose bytes are read little-endian, in order.
type highway struct {
	bits  int
	key   [highwayhash.Size]byte       // for the library
	words [highwayhash.Size / 8]uint64 // for the kernels
}

func (h *highway) HashUint64s(dst, keys []uint64) {
	switch {
	case highwayByLibrary():
		var b [8]byte
		for i, key := range keys {
			binary.LittleEndian.PutUint64(b[:], key)
			h.put(dst, len(keys), i, b[:])
		}
	case h.bits == 64:
		hashing.Highway64(dst, keys, &h.words)
	case h.bits == 128:
		hashing.Highway128(dst, keys, &h.words)
	default:
		hashing.Highway256(dst, keys, &h.words)
	}
}

func (h *highway) HashBytes(dst []uint64, data []byte, ends []int) {
	start := 0
	for i, end := range ends {
		h.put(dst, len(ends), i, data[start:end])
		start = end
	}
}

// put stores the code of key i of n, computed by the library.
func (h *highway) put(dst []uint64, n, i int, key []byte) {
	switch h.bits {
	case 64:
		dst[i] = highwayhash.Sum64(key, h.key[:])
	case 128:
		digest := highwayhash.Sum128(key, h.key[:])
		putDigest(dst, n, i, digest[:])
	default:
		digest := highwayhash.Sum(key, h.key[:])
		putDigest(dst, n, i, digest[:])
	}
}

// highwayByLibrary reports whether the library, which hashes one key at a time, is faster. That is
// the case if there is no vector kernel, because the library has its own assembly.
func highwayByLibrary() bool {
	return runtime.GOARCH == "arm64" || runtime.GOARCH == "amd64" && cpu.Active() == cpu.Generic
}
