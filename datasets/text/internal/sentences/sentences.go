// Package sentences cuts texts into sentences for segmenters, whose memory or time grows with the
// square of the length.
package sentences

import (
	"bytes"
	"unicode/utf8"
)

// longest is the most that a piece has, in bytes. Sentences have a few hundred.
const longest = 3000

// Next returns the size of the piece that a text of valid UTF-8 begins with: up to the end of its
// first line or sentence; where that takes too long, up to the last white space before; and where
// there is none, in the middle. Only ideographic marks end a sentence, since a full stop is also
// part of words and numbers.
func Next(text []byte) int {
	within := text[:min(len(text), longest)]
	for at := 0; at < len(within); {
		r, size := utf8.DecodeRune(text[at:])
		at += size
		switch r {
		case '\n', '。', '！', '？':
			return at
		}
	}
	if len(text) <= longest {
		return len(text)
	}
	if space := bytes.LastIndexAny(within, " \t"); space >= 0 {
		return space + 1
	}
	size := longest
	for !utf8.RuneStart(text[size]) {
		size--
	}
	return size
}
