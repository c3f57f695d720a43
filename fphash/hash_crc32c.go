package fphash

import (
	"hash/crc32"

	"simhashkit/asm/hashing"
)

// crc32cFamily is an example of a bad hash: a linear function of 32 bits. Systems use it as a hash
// because processors have an instruction for it.
var crc32cFamily = Family{
	Name: "crc32c", Bits: 32,
	Verification: 0xfcb740095a1ee236, Refused: []Widen{WidenCounter},
	New: func(Key) (Hash, error) { return crc32c{}, nil },
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// crc32c is CRC-32C (Castagnoli) of RFC 3720.
type crc32c struct{}

func (crc32c) HashUint64s(dst, keys []uint64) { hashing.CRC32C(dst, keys) }

func (crc32c) HashBytes(dst []uint64, data []byte, ends []int) {
	start := 0
	for i, end := range ends {
		dst[i] = uint64(crc32.Checksum(data[start:end], castagnoli))
		start = end
	}
}
