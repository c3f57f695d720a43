package text

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// Classes of bytes, as UAX #29 knows them. Everything else in ASCII ends a word.
const (
	letter    byte = 1 << iota
	digit          // "numeric"
	connector      // the underscore, which joins letters and digits
	inWord         // between letters, it joins them
	inNumber       // between digits
	beyond         // not ASCII
)

var classesOf = func() (table [256]byte) {
	for b := range table {
		switch {
		case b >= utf8.RuneSelf:
			table[b] = beyond
		case 'a' <= b|0x20 && b|0x20 <= 'z':
			table[b] = letter
		case '0' <= b && b <= '9':
			table[b] = digit
		}
	}
	table['_'] = connector
	table[':'] = inWord
	table['.'], table['\''] = inWord|inNumber, inWord|inNumber
	table[','], table[';'] = inNumber, inNumber
	return table
}()

// asciiSegment returns the end of the segment at a position, and whether it has a letter or a
// digit. It is not ok if non-ASCII characters matter.
func asciiSegment(text []byte, at int) (end int, isWord, ok bool) {
	first := classesOf[text[at]]
	if first&(letter|digit|connector) == 0 {
		end = at + 1 // marks that follow would belong to it
		return end, false, first != beyond && (end == len(text) || classesOf[text[end]] != beyond)
	}
	for end = at; ; {
		run := alphanumerics(text[end:])
		isWord = isWord || run > 0
		if end += run; end == len(text) {
			return end, isWord, true
		}
		class := classesOf[text[end]]
		switch {
		case class == connector:
			end++
			continue
		case class == beyond:
			return 0, false, false
		case class&(inWord|inNumber) == 0 || end+1 == len(text):
			return end, isWord, true
		}
		switch {
		case classesOf[text[end+1]] == beyond:
			return 0, false, false
		case joins(text[end-1:]):
			end++
		default:
			return end, isWord, true
		}
	}
}

// alphanumerics returns how many letters and digits of ASCII a text begins with. It looks at eight
// bytes at once, since a loop over them would have to guess where each word ends.
func alphanumerics(text []byte) (n int) {
	for ; n+8 <= len(text); n += 8 {
		eight := binary.LittleEndian.Uint64(text[n:])
		if others := ^alphanumeric(eight) & topBits; others != 0 {
			return n + bits.TrailingZeros64(others)/8
		}
	}
	for n < len(text) && classesOf[text[n]]&(letter|digit) != 0 {
		n++
	}
	return n
}

const (
	eachByte = 0x0101010101010101
	topBits  = 0x80 * eachByte
)

// alphanumeric sets the top bit of each byte that is a letter or a digit of ASCII, up to the first
// byte that is not ASCII: from there on additions carry into the bytes behind.
func alphanumeric(eight uint64) uint64 {
	folded := eight | ' '*eachByte
	letters := (folded + (0x80-'a')*eachByte) &^ (folded + (0x7f-'z')*eachByte)
	digits := (eight + (0x80-'0')*eachByte) &^ (eight + (0x7f-'9')*eachByte)
	return (letters | digits) &^ eight
}
