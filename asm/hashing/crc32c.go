package hashing

import (
	"hash/crc32"
	"sync"

	"simhashkit/asm/cpu"
)

// CRC32C fills dst[i] with the 32-bit CRC-32C (Castagnoli, RFC 3720) of keys[i].
func CRC32C(dst, keys []uint64) {
	crc32cAt(cpu.Active(), dst, keys)
}

// crc32cTables returns the tables of slicing-by-8: entry b of table t is the effect of byte b on
// the checksum if t bytes follow it.
var crc32cTables = sync.OnceValue(func() *[8]crc32.Table {
	castagnoli := crc32.MakeTable(crc32.Castagnoli)
	var tables [8]crc32.Table
	tables[0] = *castagnoli
	for t := 1; t < len(tables); t++ {
		for b, before := range tables[t-1] {
			tables[t][b] = before>>8 ^ castagnoli[byte(before)]
		}
	}
	return &tables
})

func crc32cGeneric(dst, keys []uint64) {
	dst = dst[:len(keys)]
	t := crc32cTables()
	for i, k := range keys {
		k ^= 0xFFFFFFFF // the initial value of the checksum
		dst[i] = uint64(^(t[7][byte(k)] ^ t[6][byte(k>>8)] ^ t[5][byte(k>>16)] ^ t[4][byte(k>>24)] ^
			t[3][byte(k>>32)] ^ t[2][byte(k>>40)] ^ t[1][byte(k>>48)] ^ t[0][byte(k>>56)]))
	}
}
