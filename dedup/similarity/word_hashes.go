package similarity

import (
	"slices"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"simhashkit/datasets/text"
)

// WordHasher turns texts into sequences of words. It holds scratch, so it is for one goroutine.
type WordHasher struct {
	analyzer *text.Analyzer
	bytes    *xxhash.Digest // of texts without words
}

// bytesSeed keeps the hash of a text without words apart from the hashes of words.
const bytesSeed = 0x9e3779b97f4a7c15

// bytesOfWord is about how many bytes a word has, with the space behind it.
const bytesOfWord = 5

// NewWordHasher returns a WordHasher. With nfkc, full-width letters, ligatures and accents of
// several forms are the same.
func NewWordHasher(nfkc bool) (*WordHasher, error) {
	analyzer, err := text.New(text.Options{NFKC: nfkc, Fold: true, Plain: true})
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
	start := len(dst)
	dst = slices.Grow(dst, len(content)/bytesOfWord)
	for batch := range h.analyzer.IndexBatches(content) {
		dst = append(dst, batch...)
	}
	words := dst[start:]
	if len(words) == 0 {
		h.bytes.ResetWithSeed(bytesSeed)
		h.bytes.Write(content) // never fails
		return append(dst, h.bytes.Sum64())
	}
	if 2*h.unspaced(content) <= len(words) {
		return dst
	}
	dst = dst[:start]
	for batch := range h.analyzer.Batches(content) {
		for _, word := range batch {
			for len(word) > 0 {
				_, size := utf8.DecodeRune(word)
				dst = append(dst, xxhash.Sum64(word[:size]))
				word = word[size:]
			}
		}
	}
	return dst
}

// unspaced returns how many words of a text are characters of scripts without spaces.
func (h *WordHasher) unspaced(content []byte) int {
	n := 0
	if !slices.ContainsFunc(content, func(b byte) bool { return b >= utf8.RuneSelf }) {
		return n
	}
	for batch := range h.analyzer.Batches(content) {
		for _, word := range batch {
			if first, _ := utf8.DecodeRune(word); text.IsUnspaced(first) {
				n++
			}
		}
	}
	return n
}
