// Package sentences splits texts into sentences, for segmenters whose memory or time grows with the
// square of the length.
package sentences

import (
	"bytes"
	"unicode/utf8"
)

// longest is the maximum size of a piece in bytes. Typical sentences have a few hundred.
const longest = 3000

// Next returns the size of the first piece of a text of valid UTF-8. The piece ends with the first
// line or sentence. If that is too long, it ends at the last white space within the limit, or at
// the limit if there is none. Only ideographic marks end a sentence, since full stops also occur in
// words and numbers.
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
