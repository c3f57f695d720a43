package fphash

import (
	"crypto/md5"
	"encoding/binary"

	"simhashkit/asm/hashing"
)

var md5Family = Family{
	Name: "md5", Bits: 128,
	Verification: 0xb8085d01e2c6a869,
	New:          func(Key) (Hash, error) { return md5Hash{}, refusedByFIPS() },
}

// md5Hash is MD5; the words are the digest's bytes read little-endian, in order.
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
