package similarity

import (
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"simhashkit/datasets/text"
	"simhashkit/internal/unicode15"
)

// WordHasher turns texts into sequences of words. It holds scratch, so it is for one goroutine.
type WordHasher struct {
	analyzer *text.Analyzer
	tokens   [][]byte
	bytes    *xxhash.Digest // of texts without words
}

// bytesSeed keeps the hash of a text without words apart from the hashes of words.
const bytesSeed = 0x9e3779b97f4a7c15

// NewWordHasher returns a WordHasher. With nfkc, full-width letters, ligatures and accents of
// several forms are the same.
func NewWordHasher(nfkc bool) (*WordHasher, error) {
	analyzer, err := text.New(text.Options{NFKC: nfkc, Fold: true})
	if err != nil {
		return nil, err
	}
	return &WordHasher{analyzer: analyzer, bytes: xxhash.NewWithSeed(bytesSeed)}, nil
}

// Append appends the hashes of the words of a text to dst, in order. Case, punctuation and white
// space do not count.
//
// Each character of a script without spaces is a word. If more than half of the words are such
// characters, other words count by their characters, too: a long Latin name in a Chinese sentence
// is more than one of its characters.
//
// A text without any word, such as "***", is one word: the hash of its bytes. An empty text has
// none.
func (h *WordHasher) Append(dst []uint64, content []byte) []uint64 {
	if len(content) == 0 {
		return dst
	}
	h.tokens = h.analyzer.AppendTokens(h.tokens[:0], content)
	words, unspaced := h.tokens[:0], 0
	for _, token := range h.tokens {
		first, _ := utf8.DecodeRune(token)
		if !isLetterOrNumber(first) {
			continue
		}
		if text.IsUnspaced(first) {
			unspaced++
		}
		words = append(words, token)
	}
	if len(words) == 0 {
		h.bytes.ResetWithSeed(bytesSeed)
		h.bytes.Write(content) // never fails
		return append(dst, h.bytes.Sum64())
	}
	for _, word := range words {
		if 2*unspaced <= len(words) {
			dst = append(dst, xxhash.Sum64(word))
			continue
		}
		for len(word) > 0 {
			_, size := utf8.DecodeRune(word)
			dst = append(dst, xxhash.Sum64(word[:size]))
			word = word[size:]
		}
	}
	return dst
}

// isLetterOrNumber reports whether a token that begins with r is a word. The analyzer begins a new
// token at each letter that continues no word, so the first code point decides.
func isLetterOrNumber(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z'
	}
	return unicode15.IsLetterOrNumber(r)
}
