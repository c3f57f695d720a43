package text

import (
	"slices"

	"github.com/cespare/xxhash/v2"

	"simhashkit/asm/wordhash"
)

// appendHashes appends the XXH64 of parts of a text.
func appendHashes(dst []uint64, text []byte, spans []span) []uint64 {
	at := len(dst)
	dst = slices.Grow(dst, len(spans))[:at+len(spans)]
	for len(spans) > 0 {
		n := wordhash.XXH64(dst[at:], text, spans)
		if n < len(spans) { // a long word, or one at the end
			dst[at+n] = xxhash.Sum64(text[spans[n].From:spans[n].To])
			n++
		}
		at, spans = at+n, spans[n:]
	}
	return dst
}
