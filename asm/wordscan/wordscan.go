// Package wordscan has kernels that find the words of a text, convert them to lower case, and hash
// them. Masks computes which bytes of a text are in which set, as one bit mask per 64 bytes. Code
// that searches for words, strings or lines works on the masks, without a branch for each byte.
package wordscan

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"strings"

	"simhashkit/asm/cpu"
)

// Block holds four masks that describe 64 bytes of a text: one mask for each of the three sets of a
// Table, and one for the bytes that are not ASCII. The lowest bit is for the first byte.
type Block = [4]uint64

// BlockSize is the number of bytes that a Block describes.
const BlockSize = 64

// Blocks returns the number of blocks of a text of n bytes.
func Blocks(n int) int { return (n + BlockSize - 1) / BlockSize }

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

// Range returns the bytes from first to last, for NewTable.
func Range(first, last byte) string {
	var b strings.Builder
	for c := int(first); c <= int(last); c++ {
		b.WriteByte(byte(c))
	}
	return b.String()
}

// Masks stores the masks of all blocks of a text. The last block may be short: its bits after the
// end of the text are 0. Masks panics unless dst has Blocks(len(text)) blocks.
func Masks(dst []Block, text []byte, table *Table) { masksOf(cpu.Active(), dst, text, table) }

func masksOf(tier cpu.Tier, dst []Block, text []byte, table *Table) {
	if len(dst) != Blocks(len(text)) {
		panic(fmt.Sprintf("wordscan: %d blocks of masks for %d of text", len(dst), Blocks(len(text))))
	}
	whole := len(text) / BlockSize
	masksAt(tier, dst[:whole], text, table)
	if rest := text[whole*BlockSize:]; len(rest) > 0 {
		var padded [BlockSize]byte
		copy(padded[:], rest)
		masksAt(tier, dst[whole:], padded[:], table)
		for i := range dst[whole] {
			dst[whole][i] &= 1<<len(rest) - 1
		}
	}
}

// masksGeneric stores the masks of len(dst) blocks. It processes four times 16 bytes side by side,
// with all sets of a byte in one word.
func masksGeneric(dst []Block, text []byte, table *Table) {
	for i := range dst {
		block := (*[BlockSize]byte)(text[i*BlockSize:])
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
