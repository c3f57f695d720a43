package libraries

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/binary"

	"simhashkit/fphash"
)

type md5Hash struct{ fphash.ByteHash }

func newMD5(own fphash.ByteHash, _ fphash.Key) fphash.Hash { return md5Hash{own} }

func (md5Hash) HashUint64s(dst, keys []uint64) {
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		digest := md5.Sum(b[:])
		putDigest(dst, len(keys), i, digest[:])
	}
}

type sha1Hash struct{ fphash.ByteHash }

func newSHA1(own fphash.ByteHash, _ fphash.Key) fphash.Hash { return sha1Hash{own} }

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

type sha256Hash struct{ fphash.ByteHash }

func newSHA256(own fphash.ByteHash, _ fphash.Key) fphash.Hash { return sha256Hash{own} }

func (sha256Hash) HashUint64s(dst, keys []uint64) {
	var b [8]byte
	for i, k := range keys {
		binary.LittleEndian.PutUint64(b[:], k)
		digest := sha256.Sum256(b[:])
		putDigest(dst, len(keys), i, digest[:])
	}
}
