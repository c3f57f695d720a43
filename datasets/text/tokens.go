package text

import (
	"unicode/utf8"

	"simhashkit/internal/unicode15"
)

// AppendTokens appends the tokens of a text to dst: its words and numbers, each character of a
// script without spaces, and each other character but white space. So nothing but white space
// counts for nothing, as punctuation does among words: "C++" has three tokens, "C" has one. The
// text is normalised and folded as the options say; the tokens stay valid as long as those of
// Append.
func (a *Analyzer) AppendTokens(dst [][]byte, text []byte) [][]byte {
	text = a.prepare(text)
	start, word := 0, false // of the token before the next character; whether letters go on with it
	for at := 0; at < len(text); {
		r, size := rune(text[at]), 1
		letter, mark := false, false
		if run := alphanumerics(text[at:]); run > 0 {
			size, letter = run, true
		} else if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(text[at:])
			letter, mark = isLetterOrNumber(r) && !IsUnspaced(r), unicode15.IsMark(r)
		}
		if start < at && !(word && letter) && !mark {
			dst = append(dst, text[start:at:at])
			start = at
		}
		at += size
		if unicode15.IsSpace(r) {
			start = at
		}
		word = letter || word && mark
	}
	if start < len(text) {
		dst = append(dst, text[start:])
	}
	return dst
}
