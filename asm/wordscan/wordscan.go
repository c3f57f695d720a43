// Package wordscan has kernels that find the words of a text, convert them to lower case, and hash
// them. Masks computes which bytes of a text are in which set, as one bit mask per 64 bytes. Code
// that searches for words, strings or lines works on the masks, without a branch for each byte.
package wordscan

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"simhashkit/asm/cpu"
)

// blockSize is the number of bytes that a block of masks describes.
const blockSize = 64

// Table says which bytes are in which of three sets.
type Table struct {
	nibbles [2][16]byte // a byte is in a set if its two entries share one of the set's bits
	bytes   [256]uint64 // bit 16·i is set if the byte is in set i
}

// firstBit says which of the eight bits in Table.nibbles belong to which set: four to the first
// set, and two to each of the others.
var firstBit = [...]int{0, 4, 6, 8}

// NewTable returns the table of three sets of ASCII bytes. A row of a set is the collection of low
// nibbles that occur with the same high nibble. Set 0 may have four different rows, and the other
// sets two each. NewTable panics if a set has more rows.
func NewTable(sets [3]string) *Table {
	t := new(Table)
	for i, set := range sets {
		var rows [8]uint16
		for _, b := range []byte(set) {
			rows[b>>4] |= 1 << (b & 15) // panics unless b is ASCII
			t.bytes[b] |= 1 << (16 * i)
		}
		bit := firstBit[i]
		known := map[uint16]int{0: 8} // by row
		for high, row := range rows {
			if _, ok := known[row]; !ok {
				if bit == firstBit[i+1] {
					panic(fmt.Sprintf("wordscan: set %d, %q, has more than %d different rows", i, set, bit-firstBit[i]))
				}
				known[row] = bit
				for ; row != 0; row &= row - 1 {
					t.nibbles[0][bits.TrailingZeros16(row)] |= 1 << bit
				}
				bit++
			}
			t.nibbles[1][high] |= 1 << known[rows[high]]
		}
	}
	for b := 128; b < 256; b++ {
		t.bytes[b] = 1 << 48
	}
	return t
}

// Masks stores four masks for each block of 64 bytes of a text: one for each of the three sets of
// the table, and one for the bytes that are not ASCII. The lowest bit is for the first byte. The
// last block may be short: its bits after the end of the text are 0. Masks panics unless dst has
// ceil(len(text)/64) blocks.
func Masks(dst [][4]uint64, text []byte, table *Table) { masksOf(cpu.Active(), dst, text, table) }

func masksOf(tier cpu.Tier, dst [][4]uint64, text []byte, table *Table) {
	if blocks := (len(text) + blockSize - 1) / blockSize; len(dst) != blocks {
		panic(fmt.Sprintf("wordscan: %d blocks of masks for %d of text", len(dst), blocks))
	}
	whole := len(text) / blockSize
	masksAt(tier, dst[:whole], text, table)
	if rest := text[whole*blockSize:]; len(rest) > 0 {
		var padded [blockSize]byte
		copy(padded[:], rest)
		masksAt(tier, dst[whole:], padded[:], table)
		for i := range dst[whole] {
			dst[whole][i] &= 1<<len(rest) - 1
		}
	}
}

// masksGeneric stores the masks of len(dst) blocks. It processes four times 16 bytes side by side,
// with all sets of a byte in one word.
func masksGeneric(dst [][4]uint64, text []byte, table *Table) {
	for i := range dst {
		block := (*[blockSize]byte)(text[i*blockSize:])
		var a, b, c, d uint64
		for j := 15; j >= 0; j-- {
			a = a<<1 | table.bytes[block[j]]
			b = b<<1 | table.bytes[block[j+16]]
			c = c<<1 | table.bytes[block[j+32]]
			d = d<<1 | table.bytes[block[j+48]]
		}
		for set := range dst[i] {
			dst[i][set] = a>>(16*set)&0xFFFF | b>>(16*set)&0xFFFF<<16 | c>>(16*set)&0xFFFF<<32 | d>>(16*set)<<48
		}
	}
}

// Lower copies the ASCII bytes at the beginning of a text to dst, in lower case, and returns their
// number. It panics if dst is shorter than the text. dst and text may be the same slice.
func Lower(dst, text []byte) int { return lowerOf(cpu.Active(), dst, text) }

func lowerOf(tier cpu.Tier, dst, text []byte) int {
	dst = dst[:len(text)]
	n := lowerAt(tier, dst, text)
	return n + lowerGeneric(dst[n:], text[n:])
}

const (
	eachByte = 0x0101010101010101
	topBits  = 0x80 * eachByte
)

// lowerGeneric processes eight bytes at a time.
func lowerGeneric(dst, text []byte) (n int) {
	for ; n+8 <= len(text); n += 8 {
		eight := binary.LittleEndian.Uint64(text[n:])
		others := eight & topBits
		if others != 0 {
			text = text[:n+bits.TrailingZeros64(others)/8]
			break
		}
		upper := (eight + (0x80-'A')*eachByte) &^ (eight + (0x7f-'Z')*eachByte) & topBits
		binary.LittleEndian.PutUint64(dst[n:], eight|upper>>2) // 0x80 becomes 0x20
	}
	for ; n < len(text) && text[n] < 0x80; n++ {
		dst[n] = text[n]
		if text[n]-'A' < 26 {
			dst[n] |= 0x20
		}
	}
	return n
}

// wordRoom is the number of bytes that are read from the start of a word.
const wordRoom = 24

// Span is the position of a word in its text: from byte From up to, but not including, byte To.
type Span struct{ From, To int }

// XXH64 stores the 64-bit xxHash (Collet, XXH64 of version 0.8) of words of a text, with seed 0. It
// does not hash words of 24 bytes or more, or words that start less than 24 bytes before the end of
// their text. It stops at the first of these, and returns the number of hashed words. It panics if
// dst is shorter than words.
func XXH64(dst []uint64, text []byte, words []Span) int {
	return xxh64Of(cpu.Active(), dst, text, words)
}

func xxh64Of(tier cpu.Tier, dst []uint64, text []byte, words []Span) int {
	dst = dst[:len(words)]
	n := xxh64At(tier, dst, text, words)
	return n + xxh64Generic(dst[n:], text, words[n:])
}

func xxh64Generic(dst []uint64, text []byte, words []Span) int {
	for i, w := range words {
		if w.To-w.From >= wordRoom || w.From+wordRoom > len(text) {
			return i
		}
		dst[i] = one((*[wordRoom]byte)(text[w.From:]), w.To-w.From)
	}
	return len(words)
}

// The primes of XXH64.
const (
	prime1 = 0x9E3779B185EBCA87
	prime2 = 0xC2B2AE3D27D4EB4F
	prime3 = 0x165667B19E3779F9
	prime4 = 0x85EBCA77C2B2AE63
	prime5 = 0x27D4EB2F165667C5
)

// one returns the hash of the first size bytes of text, which are fewer than all. Words are short,
// and their lengths are unpredictable. So one computes every step, and selects or discards its
// result without a branch.
func one(text *[wordRoom]byte, size int) uint64 {
	sum := prime5 + uint64(size)
	word, next := binary.LittleEndian.Uint64(text[:]), binary.LittleEndian.Uint64(text[8:])
	if size >= 16 {
		sum, word, next = addEight(sum, word), next, binary.LittleEndian.Uint64(text[16:])
		size -= 8
	}
	if eight := addEight(sum, word); size >= 8 {
		sum, word = eight, next
	}
	if four := bits.RotateLeft64(sum^uint64(uint32(word))*prime1, 23)*prime2 + prime3; size&4 != 0 {
		sum, word = four, word>>32
	}
	if one := addOne(sum, byte(word)); size&3 > 0 {
		sum = one
	}
	if one := addOne(sum, byte(word>>8)); size&3 > 1 {
		sum = one
	}
	if one := addOne(sum, byte(word>>16)); size&3 > 2 {
		sum = one
	}
	sum = (sum ^ sum>>33) * prime2
	sum = (sum ^ sum>>29) * prime3
	return sum ^ sum>>32
}

func addEight(sum, eight uint64) uint64 {
	sum ^= bits.RotateLeft64(eight*prime2, 31) * prime1
	return bits.RotateLeft64(sum, 27)*prime1 + prime4
}

func addOne(sum uint64, one byte) uint64 {
	return bits.RotateLeft64(sum^uint64(one)*prime5, 11) * prime1
}
