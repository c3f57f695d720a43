package hashing

import (
	"hash/crc32"
	"math/bits"
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

// FNV1 fills dst[i] with the 64-bit FNV-1 hash (Fowler, Noll, Vo; RFC 9923) of keys[i]: multiply,
// then XOR the next byte.
func FNV1(dst, keys []uint64) {
	fnv1At(cpu.Active(), dst, keys)
}

// FNV1a fills dst[i] with the 64-bit FNV-1a hash (Fowler, Noll, Vo; RFC 9923) of keys[i]: XOR the
// next byte, then multiply.
func FNV1a(dst, keys []uint64) {
	fnv1aAt(cpu.Active(), dst, keys)
}

const (
	fnvOffset uint64 = 0xCBF29CE484222325
	fnvPrime  uint64 = 0x100000001B3
)

func fnv1Generic(dst, keys []uint64) {
	dst = dst[:len(keys)]
	first := fnvOffset
	first *= fnvPrime // wraps, which a constant may not
	for i, k := range keys {
		h := first ^ k&0xff
		h = h*fnvPrime ^ k>>8&0xff
		h = h*fnvPrime ^ k>>16&0xff
		h = h*fnvPrime ^ k>>24&0xff
		h = h*fnvPrime ^ k>>32&0xff
		h = h*fnvPrime ^ k>>40&0xff
		h = h*fnvPrime ^ k>>48&0xff
		dst[i] = h*fnvPrime ^ k>>56
	}
}

func fnv1aGeneric(dst, keys []uint64) {
	dst = dst[:len(keys)]
	for i, k := range keys {
		h := (fnvOffset ^ k&0xff) * fnvPrime
		h = (h ^ k>>8&0xff) * fnvPrime
		h = (h ^ k>>16&0xff) * fnvPrime
		h = (h ^ k>>24&0xff) * fnvPrime
		h = (h ^ k>>32&0xff) * fnvPrime
		h = (h ^ k>>40&0xff) * fnvPrime
		h = (h ^ k>>48&0xff) * fnvPrime
		dst[i] = (h ^ k>>56) * fnvPrime
	}
}

// Lookup3 fills dst[i] with hashlittle2 (Jenkins, lookup3.c of 2006) of keys[i]. The code (c<<32)|b
// combines its two results. The seed (pc<<32)|pb combines its two initial values.
func Lookup3(dst, keys []uint64, seed uint64) {
	lookup3At(cpu.Active(), dst, keys, seed)
}

// lookup3Start returns the initial values of the words a and b, and of the word c, for keys of 8
// bytes.
func lookup3Start(seed uint64) (ab, c uint32) {
	ab = 0xDEADBEEF + 8 + uint32(seed>>32)
	return ab, ab + uint32(seed)
}

func lookup3Generic(dst, keys []uint64, seed uint64) {
	dst = dst[:len(keys)]
	start, third := lookup3Start(seed)
	for i, k := range keys { // 8 bytes are a tail of two words
		a, b, c := start+uint32(k), start+uint32(k>>32), third
		c = (c ^ b) - bits.RotateLeft32(b, 14)
		a = (a ^ c) - bits.RotateLeft32(c, 11)
		b = (b ^ a) - bits.RotateLeft32(a, 25)
		c = (c ^ b) - bits.RotateLeft32(b, 16)
		a = (a ^ c) - bits.RotateLeft32(c, 4)
		b = (b ^ a) - bits.RotateLeft32(a, 14)
		c = (c ^ b) - bits.RotateLeft32(b, 24)
		dst[i] = uint64(c)<<32 | uint64(b)
	}
}

// lookup3Twice returns the values of lookup3Start, each twice in a 64-bit word.
func lookup3Twice(seed uint64) (start, third uint64) {
	a, c := lookup3Start(seed)
	return uint64(a) * (1<<32 + 1), uint64(c) * (1<<32 + 1)
}
