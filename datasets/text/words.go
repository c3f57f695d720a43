package text

import (
	"encoding/binary"
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
