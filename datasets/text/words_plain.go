package text

import (
	"unicode/utf8"

	"simhashkit/internal/unicode15"
)

// appendPlain appends the plain words of a text from a position on, where none may have begun
// before, until none has begun where ASCII goes on, or another position is reached. It returns
// where that is.
func appendPlain(dst []span, text []byte, at, before int) ([]span, int) {
	first := at
	start := -1       // of the word at hand, if there is one
	unspaced := false // it is a character of a script without spaces
	for at < len(text) {
		r, size := rune(text[at]), 1
		letter, single, mark := false, false, false
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(text[at:])
			single = IsUnspaced(r)
			letter = !single && isLetterOrNumber(r)
			mark = !single && !letter && unicode15.IsMark(r)
		} else if run := alphanumerics(text[at:]); run > 0 {
			size, letter = run, true
		}
		if start < 0 || !mark && (!letter || unspaced) {
			if start >= 0 {
				dst = append(dst, span{From: start, To: at})
				start = -1
			}
			if at >= before || r < utf8.RuneSelf && at > first {
				return dst, at
			}
			if letter || single {
				start, unspaced = at, single
			}
		}
		at += size
	}
	if start >= 0 {
		dst = append(dst, span{From: start, To: at})
	}
	return dst, at
}
