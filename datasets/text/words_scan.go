package text

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"

	"simhashkit/asm/wordscan"
)

// wordTable computes the masks of a block. The constants below are indices of its masks.
var wordTable = wordscan.NewTable([3]string{"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", ":;,.'", "_"})

const (
	alphanumericMask = iota
	markMask         // may join the letters or digits on both sides
	connectorMask
	otherMask // not ASCII

	blockSize = 64             // number of bytes that a block of masks describes
	scanBytes = 16 * blockSize // number of bytes masked at a time
)

// appendScanned appends the words that begin in text[at:before]: plain words, or words of UAX #29.
// A segment must begin at at. It returns the position to continue at.
//
// A search for the end of each word needs a branch that no processor predicts. So appendScanned
// finds ASCII words as runs in bit masks of the text. Only words that touch other characters or the
// end of the masks are found one by one, by the library.
func appendScanned(dst []span, text []byte, at, before int, plain bool) ([]span, int) {
	var room [scanBytes / blockSize][4]uint64
	for at < before {
		from, end := at, min(at+scanBytes, before)
		masks := room[:(end-from+blockSize-1)/blockSize]
		wordscan.Masks(masks, text[from:end], wordTable)
		var (
			begin, first = at, len(dst)
			since        = first // index of the first word of this ASCII run, which begins at begin
			carried      uint64  // 1 if a word continues from the previous block
			open         int     // start of that word
			character    uint64  // 1 if the byte before the block is a letter or a digit
			underscored  uint64  // not 0: some words begin with underscores
		)
		for at < end {
			block, skip := &masks[(at-from)/blockSize], (at-from)%blockSize
			low, wanted := at-skip, ^uint64(0)<<skip
			runs := block[alphanumericMask] & wanted
			if !plain {
				marks := block[markMask] & (runs<<1 | character) & (runs>>1 | 1<<(blockSize-1))
				character = runs >> (blockSize - 1)
				for ; marks != 0; marks &= marks - 1 {
					if i := bits.TrailingZeros64(marks); low+i+1 < end && joins(text[low+i-1:]) {
						runs |= 1 << i
					}
				}
				connectors := block[connectorMask] & wanted
				runs |= connectors
				underscored |= connectors &^ (runs<<1 | carried)
			}
			stop := min(bits.TrailingZeros64(block[otherMask]&wanted), end-low)
			dst, open = appendRuns(dst, runs, carried, low, open, stop)
			if stop > 0 {
				carried = runs >> (stop - 1) & 1
			}
			at = low + stop
			if stop == blockSize && at < end {
				continue
			}
			switch {
			case carried > 0:
				at = open
			case !plain:
				dst, at = stepBack(dst, since, text, begin, at)
			}
			switch {
			case at == end:
			case plain:
				dst, at = appendPlain(dst, text, at, before, false)
			default:
				dst, at = appendSegment(dst, text, at)
			}
			begin, since, carried, character = at, len(dst), 0, 0
		}
		if underscored != 0 {
			dst = append(dst[:first], slices.DeleteFunc(dst[first:], func(s span) bool { return isUnderscores(text[s.From:s.To]) })...)
		}
	}
	return dst, at
}

// appendRuns appends the runs of ones in the mask of a block that end before bit stop. The block
// begins at position low. If carried is 1, a run that began at open continues in the block.
// appendRuns returns the start of the run that continues in the next block, if there is one.
func appendRuns(dst []span, runs, carried uint64, low, open, stop int) ([]span, int) {
	before := runs<<1 | carried
	starts, ends := runs&^before, before&^runs&(1<<stop-1)
	if carried == 0 {
		open = low + bits.TrailingZeros64(starts)
		starts &= starts - 1
	}
	const most = blockSize / 2
	n, count := len(dst), bits.OnesCount64(ends)
	if cap(dst)-n < most {
		dst = slices.Grow(dst, most)
	}
	room := (*[most]span)(dst[n : n+most])
	for i := range count {
		room[i%most] = span{From: open, To: low + bits.TrailingZeros64(ends)}
		open = low + bits.TrailingZeros64(starts)
		starts &= starts - 1
		ends &= ends - 1
	}
	return dst[:n+count], open
}

// joins reports whether the middle one of three ASCII bytes, a mark, joins the other two.
func joins(text []byte) bool {
	last, mark, next := classesOf[text[0]], classesOf[text[1]], classesOf[text[2]]
	return mark&inWord != 0 && last&next&letter != 0 || mark&inNumber != 0 && last&next&digit != 0
}

// stepBack returns the position to continue at after an ASCII run that began at begin, since the
// characters that follow may extend its last segment. It drops the last word of the run if a mark
// after the word may join it to them.
func stepBack(dst []span, since int, text []byte, begin, at int) ([]span, int) {
	if at == len(text) || at == begin {
		return dst, at
	}
	if n := len(dst); n > since && dst[n-1].To == at-1 && classesOf[text[at-1]]&(inWord|inNumber) != 0 {
		return dst[:n-1], dst[n-1].From
	}
	if classesOf[text[at]] == beyond {
		at--
	}
	return dst, at
}

// isUnderscores reports whether a UAX #29 word has neither letters nor digits.
func isUnderscores(word []byte) bool {
	for _, b := range word {
		if b != '_' {
			return false
		}
	}
	return true
}

// Byte classes of UAX #29. Any other ASCII byte ends a word.
const (
	letter    byte = 1 << iota
	digit          // "numeric"
	connector      // underscore: joins letters and digits
	inWord         // joins letters
	inNumber       // joins digits
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

// alphanumerics returns the number of ASCII letters and digits at the start of a text. It checks
// eight bytes at a time, since a byte loop would mispredict the end of each word.
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

// alphanumeric sets the top bit of each byte that is an ASCII letter or digit. The result is valid
// only up to the first non-ASCII byte, where additions carry into the next byte.
func alphanumeric(eight uint64) uint64 {
	folded := eight | ' '*eachByte
	letters := (folded + (0x80-'a')*eachByte) &^ (folded + (0x7f-'z')*eachByte)
	digits := (eight + (0x80-'0')*eachByte) &^ (eight + (0x7f-'9')*eachByte)
	return (letters | digits) &^ eight
}
