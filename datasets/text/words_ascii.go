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

var classes = func() (table [256]byte) {
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

// asciiSegment returns where the segment that begins at a position ends, and whether it has a
// letter or a digit. It is not ok if other characters than ASCII have a say in that.
func asciiSegment(text []byte, at int) (end int, isWord, ok bool) {
	first := classes[text[at]]
	if first&(letter|digit|connector) == 0 {
		end = at + 1 // marks that follow would belong to it
		return end, false, first != beyond && (end == len(text) || classes[text[end]] != beyond)
	}
	for end = at; ; {
		run := alphanumerics(text[end:])
		isWord = isWord || run > 0
		if end += run; end == len(text) {
			return end, isWord, true
		}
		class := classes[text[end]]
		switch {
		case class == connector:
			end++
			continue
		case class == beyond:
			return 0, false, false
		case class&(inWord|inNumber) == 0 || end+1 == len(text):
			return end, isWord, true
		}
		last, next := classes[text[end-1]], classes[text[end+1]]
		switch {
		case next == beyond:
			return 0, false, false
		case class&inWord != 0 && last&next&letter != 0, class&inNumber != 0 && last&next&digit != 0:
			end++
		default:
			return end, isWord, true
		}
	}
}

// plainBlock is how many bytes appendPlainWords looks at at once.
const plainBlock = 64

// appendPlainWords appends the words from a position on, where a segment begins, up to the first
// segment that takes more than a glance. It returns where that begins, or the first segment that
// does not begin before. The words are letters and digits of ASCII that are not joined to anything.
//
// Looking for where each word ends, byte by byte or in words of the machine, means a branch that
// nothing predicts; so the bytes of a block become bits of masks, and all rules are applied to
// them.
func appendPlainWords(dst []span, text []byte, at, before int) ([]span, int) {
	var padded [plainBlock + 1]byte // zeros behind the last byte join nothing
	for at < before {
		block := text[at:]
		if len(block) < len(padded) {
			clear(padded[copy(padded[:], block):])
			block = padded[:]
		}
		words, joining := blockMasks((*[plainBlock + 1]byte)(block))
		starts, ends := words&^(words<<1), words<<1&^words
		stop := bits.TrailingZeros64(joining)
		if rest := before - at; rest < plainBlock {
			stop = min(stop, bits.TrailingZeros64(starts>>rest<<rest))
		}
		for ends &= 1<<stop - 1; ends != 0; ends &= ends - 1 {
			dst = append(dst, span{at + bits.TrailingZeros64(starts), at + bits.TrailingZeros64(ends)})
			starts &= starts - 1
		}
		switch next := bits.TrailingZeros64(starts); { // the word that comes next
		case next == plainBlock && stop == plainBlock:
			at = min(at+plainBlock-1, len(text)) // the last byte may be joined to the next
		case next <= stop && (next == 0 || stop < plainBlock):
			return dst, at + next // it is joined, or as long as the block, or not to begin before
		case stop < plainBlock:
			return dst, at + max(0, stop-1) // which may be joined to the byte in front
		default:
			at += next // the block ends in the word
		}
	}
	return dst, at
}

// blockMasks returns which bytes of a block are letters and digits, and which others may be joined
// to the byte in front of them: the underscore, what is not ASCII, and marks between letters and
// digits. It takes one byte more than the block for what is behind the last mark.
func blockMasks(block *[plainBlock + 1]byte) (words, joining uint64) {
	var marks uint64
	for i := 0; i < plainBlock; i += 8 {
		eight := binary.LittleEndian.Uint64(block[i:])
		low := eight &^ topBits
		words |= gather(alphanumeric(low)&^eight&topBits) << i
		joining |= gather((equal(low, '_')|eight)&topBits) << i
		// ':' or ';', ',' or '.', and the apostrophe
		marks |= gather((equal(low|1*eachByte, ';')|equal(low|2*eachByte, '.')|equal(low, '\''))&topBits) << i
	}
	following := (words | joining) >> 1
	if classes[block[plainBlock]]&(letter|digit|connector|beyond) != 0 {
		following |= 1 << (plainBlock - 1)
	}
	return words, joining | marks&(words<<1)&following
}

// equal sets the top bit of each byte of ASCII that is b.
func equal(eight uint64, b byte) uint64 {
	return ^((eight ^ uint64(b)*eachByte) + 0x7f*eachByte)
}

// gather returns the top bits of eight bytes, which are all that is set, side by side.
func gather(tops uint64) uint64 { return tops >> 7 * 0x0102040810204080 >> 56 }

// alphanumerics returns how many letters and digits of ASCII a text begins with. It looks at eight
// bytes at once, since a loop over them would have to guess where each word ends.
func alphanumerics(text []byte) (n int) {
	for ; n+8 <= len(text); n += 8 {
		eight := binary.LittleEndian.Uint64(text[n:])
		if others := ^alphanumeric(eight) & topBits; others != 0 {
			return n + bits.TrailingZeros64(others)/8
		}
	}
	for n < len(text) && classes[text[n]]&(letter|digit) != 0 {
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
