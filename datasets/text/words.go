package text

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
	"github.com/clipperhouse/uax29/v2/words"

	"simhashkit/asm/wordscan"
	"simhashkit/internal/unicode15"
)

// span is the position of a word in its text.
type span = wordscan.Span

// appendSpanned appends the given spans of a text as slices.
func appendSpanned(dst [][]byte, text []byte, spans []span) [][]byte {
	dst = slices.Grow(dst, len(spans))
	for _, s := range spans {
		dst = append(dst, text[s.From:s.To:s.To])
	}
	return dst
}

// appendSegment appends the segment of UAX #29 at a position, as found by the library, if it is a
// word. For a run without spaces it appends the pairs of characters. It returns the position to
// continue at.
func appendSegment(dst []span, text []byte, at int) ([]span, int) {
	for start := at; ; {
		size, _, _ := words.SplitFunc(text[at:], true) // no error, since the text is complete
		kind, skip := kindOf(text[at : at+size])
		if kind == runOfCharacters {
			if at += size; at < len(text) && classesOf[text[at]]&(beyond|connector) != 0 {
				continue // katakana may begin with an underscore
			}
			return appendPairs(dst, text[:at], start), at
		}
		dst = appendPairs(dst, text[:at], start)
		if kind == oneWord {
			dst = append(dst, span{From: at + skip, To: at + size})
		}
		return dst, at + size
	}
}

// The kinds of segments of UAX #29.
const (
	noWord          = iota
	oneWord         // contains a letter or a number
	runOfCharacters // all letters are of scripts without spaces
)

// kindOf returns the kind of a segment, and the number of leading bytes that do not belong to the
// word: a joiner can attach a sign that counts as a letter (U+2139) to the white space before it.
func kindOf(segment []byte) (kind, skip int) {
	for skip < len(segment) && segment[skip] <= ' ' {
		skip++
	}
	for at := skip; at < len(segment); {
		r, size := utf8.DecodeRune(segment[at:])
		at += size
		switch {
		case unicode15.IsUnspaced(r):
			kind = runOfCharacters
		case isLetterOrNumber(r):
			return oneWord, skip
		}
	}
	return kind, skip
}

func isLetterOrNumber(r rune) bool {
	if r < utf8.RuneSelf {
		return classesOf[r]&(letter|digit) != 0
	}
	return unicode15.IsLetterOrNumber(r)
}

// countUnspaced returns the number of characters of scripts without spaces, and that of all other
// bytes.
func countUnspaced(text []byte) (characters, others int) {
	for at := 0; at < len(text); {
		if text[at] < 0xE0 { // characters of such scripts are encoded in three or more bytes
			if at+8 <= len(text) && binary.LittleEndian.Uint64(text[at:])&0x8080808080808080 == 0 {
				at += 8
				others += 8
				continue
			}
			at++
			others++
			continue
		}
		r, size := utf8.DecodeRune(text[at:])
		if at += size; unicode15.IsUnspaced(r) {
			characters++
		} else {
			others += size
		}
	}
	return characters, others
}

// appendCharacterSpans appends the characters of the given words. A character includes the marks
// after it.
func appendCharacterSpans(dst []span, text []byte, words []span) []span {
	for _, w := range words {
		if r, _ := utf8.DecodeRune(text[w.From:]); unicode15.IsUnspaced(r) {
			dst = append(dst, w)
			continue
		}
		for at := w.From; at < w.To; {
			r, size := utf8.DecodeRune(text[at:])
			if r >= utf8.RuneSelf && at > w.From && unicode15.IsMark(r) {
				dst[len(dst)-1].To += size
			} else {
				dst = append(dst, span{From: at, To: at + size})
			}
			at += size
		}
	}
	return dst
}

// appendPairs appends every two neighbouring characters of the run text[start:], or the only
// character of the run. A character is a letter with the marks after it; the first character
// includes the marks before it.
func appendPairs(dst []span, text []byte, start int) []span {
	if start == len(text) {
		return dst
	}
	characters, before := 0, start // before is the start of the previous character
	for at := start; at < len(text); {
		r, size := utf8.DecodeRune(text[at:])
		if unicode15.IsUnspaced(r) {
			if characters++; characters > 2 {
				dst = append(dst, span{From: before, To: at})
			}
			if characters > 1 {
				before, start = start, at
			}
		}
		at += size
	}
	return append(dst, span{From: before, To: len(text)})
}

// appendPlain appends the plain words of a text from a position on, which must not be inside a
// word, and with symbols each symbol as a word. It stops at before, or without symbols between
// words where ASCII text begins again, and returns that position.
func appendPlain(dst []span, text []byte, at, before int, symbols bool) ([]span, int) {
	first := at
	start := -1    // start of the current word, or -1
	alone := false // the current word is a symbol, or a character of a script without spaces
	for at < len(text) {
		r, size := rune(text[at]), 1
		letter, single, mark := false, false, false
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(text[at:])
			single = unicode15.IsUnspaced(r)
			letter = !single && isLetterOrNumber(r)
			mark = !single && !letter && unicode15.IsMark(r)
			single = single || symbols && !letter && !mark && unicode15.IsSymbol(r)
		} else if run := alphanumerics(text[at:]); run > 0 {
			size, letter = run, true
		} else {
			single = symbols && r > ' ' && r < 0x7F
		}
		if start < 0 || !mark && (!letter || alone) {
			if start >= 0 {
				dst = append(dst, span{From: start, To: at})
				start = -1
			}
			if at >= before || !symbols && r < utf8.RuneSelf && at > first {
				return dst, at
			}
			if letter || single {
				start, alone = at, single
			}
		}
		at += size
	}
	if start >= 0 {
		dst = append(dst, span{From: start, To: at})
	}
	return dst, at
}

// appendHashes appends the XXH64 of each span of a text.
func appendHashes(dst []uint64, text []byte, spans []span) []uint64 {
	at := len(dst)
	dst = slices.Grow(dst, len(spans))[:at+len(spans)]
	for len(spans) > 0 {
		n := wordscan.XXH64(dst[at:], text, spans)
		if n < len(spans) { // a long word, or a word near the end
			dst[at+n] = xxhash.Sum64(text[spans[n].From:spans[n].To])
			n++
		}
		at, spans = at+n, spans[n:]
	}
	return dst
}

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
			dst = append(dst[:first], slices.DeleteFunc(dst[first:], func(s span) bool { return len(bytes.Trim(text[s.From:s.To], "_")) == 0 })...)
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
