package fphash

import (
	"hash/crc32"
	"sync"
)

// crc32cFamily is the bad example: a linear function of 32 bits, which systems take for a hash
// because processors have an instruction for it.
var crc32cFamily = Family{
	Name: "crc32c", Bits: 32,
	New: func(Key) (Hash, error) { return crc32c{crc32cTables()}, nil },
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// crc32cTables returns the tables of slicing-by-8: entry b of table t is what the byte b does to
// the checksum with t bytes behind it.
var crc32cTables = sync.OnceValue(func() *[8]crc32.Table {
	var tables [8]crc32.Table
	tables[0] = *castagnoli
	for t := 1; t < len(tables); t++ {
		for b, before := range tables[t-1] {
			tables[t][b] = before>>8 ^ castagnoli[byte(before)]
		}
	}
	return &tables
})

// crc32c is CRC-32C (Castagnoli) of RFC 3720.
type crc32c struct{ tables *[8]crc32.Table }

func (h crc32c) HashUint64s(dst, keys []uint64) {
	dst = dst[:len(keys)]
	t := h.tables
	for i, k := range keys {
		k ^= 0xFFFFFFFF // what the checksum starts with
		dst[i] = uint64(^(t[7][byte(k)] ^ t[6][byte(k>>8)] ^ t[5][byte(k>>16)] ^ t[4][byte(k>>24)] ^
			t[3][byte(k>>32)] ^ t[2][byte(k>>40)] ^ t[1][byte(k>>48)] ^ t[0][byte(k>>56)]))
	}
}

func (crc32c) HashBytes(dst []uint64, data []byte, ends []int) {
	start := 0
	for i, end := range ends {
		dst[i] = uint64(crc32.Checksum(data[start:end], castagnoli))
		start = end
	}
}
