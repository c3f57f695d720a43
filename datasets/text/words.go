package text

import (
	"encoding/binary"
	"math/bits"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
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

// appendWords appends the words of a text of valid UTF-8, as slices of it.
//
// Words of ASCII are cut here, which is several times faster, and everything that touches anything
// else by the library; a fuzz test holds both to the same words.
func appendWords(dst [][]byte, text []byte) [][]byte {
	dst, _ = appendWordsBefore(dst, text, 0, len(text))
	return dst
}

// appendWordsBefore appends the words of the segments that begin at a position, where a segment of
// the text must begin, and before another one. It returns where the next segment begins.
func appendWordsBefore(dst [][]byte, text []byte, at, before int) ([][]byte, int) {
	for at < before {
		end, isWord, ok := asciiSegment(text, at)
		switch {
		case !ok:
			dst, at = appendBeyond(dst, text, at)
			continue
		case isWord:
			dst = append(dst, text[at:end:end])
		}
		at = end
	}
	return dst, at
}

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

// appendBeyond appends the word that begins at a position, by the library, or the words of the run
// without spaces there. It returns where to go on.
func appendBeyond(dst [][]byte, text []byte, at int) ([][]byte, int) {
	for start := at; ; {
		size, _, _ := words.SplitFunc(text[at:], true) // all of a text is there: it has no error
		kind, skip := kindOf(text[at : at+size])
		if kind == runOfCharacters {
			if at += size; at < len(text) && classes[text[at]]&(beyond|connector) != 0 {
				continue // katakana may begin with an underscore
			}
			return appendPairs(dst, text[start:at]), at
		}
		dst = appendPairs(dst, text[start:at])
		if kind == oneWord {
			dst = append(dst, text[at+skip:at+size:at+size])
		}
		return dst, at + size
	}
}

// What a segment of UAX #29 is.
const (
	noWord          = iota
	oneWord         // it has a letter or a number
	runOfCharacters // all its letters are of scripts without spaces
)

// kindOf returns the kind of a segment, and how many bytes at its beginning are no part of the
// word: a joiner may join a sign that counts as a letter (U+2139) to the white space before it.
func kindOf(segment []byte) (kind, skip int) {
	for skip < len(segment) && segment[skip] <= ' ' {
		skip++
	}
	for at := skip; at < len(segment); {
		r, size := utf8.DecodeRune(segment[at:])
		at += size
		switch {
		case isUnspaced(r):
			kind = runOfCharacters
		case isLetterOrNumber(r):
			return oneWord, skip
		}
	}
	return kind, skip
}

func isLetterOrNumber(r rune) bool {
	if r < utf8.RuneSelf {
		return classes[r]&(letter|digit) != 0
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r)
}
