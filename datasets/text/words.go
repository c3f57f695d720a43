package text

import (
	"slices"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"

	"simhashkit/asm/wordhash"
	"simhashkit/internal/unicode15"
)

// span says where a word is in its text.
type span = wordhash.Span

// appendSpanned appends parts of a text as slices of it.
func appendSpanned(dst [][]byte, text []byte, spans []span) [][]byte {
	dst = slices.Grow(dst, len(spans))
	for _, s := range spans {
		dst = append(dst, text[s.From:s.To:s.To])
	}
	return dst
}

// appendSegment appends the word of the segment that begins at a position, if it is one. It returns
// where to go on.
//
// Segments of ASCII are cut here, which is several times faster, and everything that touches
// anything else by the library; a fuzz test holds both to the same words.
func appendSegment(dst []span, text []byte, at int) ([]span, int) {
	end, isWord, ok := asciiSegment(text, at)
	if !ok {
		return appendBeyond(dst, text, at)
	}
	if isWord {
		dst = append(dst, span{From: at, To: end})
	}
	return dst, end
}

// appendBeyond appends the word that begins at a position, by the library, or the words of the run
// without spaces there. It returns where to go on.
func appendBeyond(dst []span, text []byte, at int) ([]span, int) {
	for start := at; ; {
		size, _, _ := words.SplitFunc(text[at:], true) // all of a text is there: it has no error
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
		case IsUnspaced(r):
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
