package text

import (
	"unicode/utf8"

	"simhashkit/internal/unicode15"
)

// IsUnspaced reports whether a character belongs to a script without spaces between words, such as
// Chinese, Japanese and Thai, or stands for one (〇).
func IsUnspaced(r rune) bool {
	switch {
	case r < 0x0E01, r > 0x10FF && r < 0x1780, r > 0x17FF && r < 0x3005, r >= 0xAC00 && r <= 0xD7A3:
		return false // soon said for most other scripts
	case r >= 0x4E00 && r <= 0x9FFF, r >= 0x3041 && r <= 0x3096, r >= 0x30A1 && r <= 0x30FA:
		return true // most of Chinese, hiragana and katakana
	case r == 'ー' || r == 'ｰ':
		return true // belongs to no script, but makes vowels of katakana long
	}
	return unicode15.IsUnspaced(r)
}

// appendPairs appends every two neighbouring characters of the run that begins at a position and
// ends a text, or the character of a run of one. A character is a letter with the marks behind it,
// the first one also with those before it.
func appendPairs(dst []span, text []byte, start int) []span {
	if start == len(text) {
		return dst
	}
	characters, before := 0, start // before is the start of the character before the one at start
	for at := start; at < len(text); {
		r, size := utf8.DecodeRune(text[at:])
		if IsUnspaced(r) {
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
