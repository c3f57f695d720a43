package fphash

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

const (
	maxDigits = 20 // of an index in decimal
	written   = 24 // bytes of three words that appendDigits writes at each index
)

// appendDigits appends indices in decimal digits, one behind the other, and stores where each ends.
// It does without a branch or a loop for each digit.
func appendDigits[I uint32 | uint64](text []byte, ends []int, indices []I) []byte {
	text = slices.Grow(text, len(indices)*maxDigits+written)
	at := len(text)
	for i, index := range indices {
		to := text[at : at+written : at+written]
		switch n := uint64(index); {
		case n < 1e8:
			at += putDigits(to, eightDigits(n), 0, 0)
		case n < 1e16:
			high := n / 1e8
			at += 8 + putDigits(to, eightDigits(high), eightDigits(n-high*1e8), 0)
		default:
			high := n / 1e8
			highest := high / 1e8
			at += 16 + putDigits(to, eightDigits(highest), eightDigits(high-highest*1e8), eightDigits(n-high*1e8))
		}
		ends[i] = at
	}
	return text[:at]
}

const eachByte = 0x0101010101010101

// putDigits writes digits from 0 to 9 as ASCII, but for leading zeros of the first word. It returns
// how many digits of that word are left, at least one.
func putDigits(to []byte, first, second, third uint64) int {
	zeros := uint(bits.TrailingZeros64(first|1<<56)) & 56 // bits of leading zeros
	first, second, third = first|'0'*eachByte, second|'0'*eachByte, third|'0'*eachByte
	binary.LittleEndian.PutUint64(to, first>>zeros|second<<1<<(63-zeros&63))
	binary.LittleEndian.PutUint64(to[8:], second>>zeros|third<<1<<(63-zeros&63))
	binary.LittleEndian.PutUint64(to[16:], third>>zeros)
	return 8 - int(zeros/8)
}

// eightDigits returns the digits of a number below 10^8 as bytes from 0 to 9, the first one lowest.
// Each step halves all parts of the word: 8 digits become 4 and 4, and so on. Quotients are those
// of a multiplication and a shift, exact for numbers of so many digits.
func eightDigits(n uint64) uint64 {
	quotients := n * 109951163 >> 40 // by 10000
	n = quotients | (n-quotients*10000)<<32
	quotients = n * 10486 >> 20 & (0x7f * (1<<32 + 1)) // by 100, in two halves
	n = quotients | (n-quotients*100)<<16
	quotients = n * 103 >> 10 & (0xf * (1<<48 + 1<<32 + 1<<16 + 1)) // by 10, in four quarters
	return quotients | (n-quotients*10)<<8
}
