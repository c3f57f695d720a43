// Package zh splits Chinese text into words with a dictionary, using github.com/go-ego/gse.
// Importing it registers the language "zh" with package text.
//
// The program embeds the dictionary, simplified and traditional, and a hidden Markov model for
// unknown words. The first Analyzer that needs them loads them, which takes about three seconds and
// 320 MB. Words are those of gse's CutDAG (jieba's accurate mode), applied to each line and
// sentence separately, but with their original case, since gse returns lower case. [Frequencies]
// has their weights. If you do not need dictionary words, use lang=auto.
package zh

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/go-ego/gse"

	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
)

func init() { text.Register("zh", load) }

func load() (text.Segmenter, error) {
	var s segmenter
	if err := s.gse.LoadDictEmbed("zh"); err != nil {
		return nil, err
	}
	return &s, s.gse.LoadStopEmbed()
}

type segmenter struct{ gse gse.Segmenter }

// IsStop reports whether a word is in gse's list of the most common words.
func (s *segmenter) IsStop(word string) bool { return s.gse.IsStop(word) }

// AppendWords appends the words of a text as slices of the text.
func (s *segmenter) AppendWords(dst [][]byte, text []byte) [][]byte {
	for len(text) > 0 {
		piece := text[:nextPiece(text)]
		text = text[len(piece):]
		for _, word := range s.gse.CutDAG(string(piece)) {
			// Lower case can change the size of a letter, but not the number of letters.
			size := sizeOf(piece, utf8.RuneCountInString(word))
			dst = append(dst, piece[:size:size])
			piece = piece[size:]
		}
	}
	return dst
}

// sizeOf returns the size in bytes of the first count code points of a text.
func sizeOf(text []byte, count int) (size int) {
	for range count {
		_, width := utf8.DecodeRune(text[size:])
		size += width
	}
	return size
}

// longestPiece is the maximum size of a piece in bytes, since the memory and time of gse grow with
// the square of the length. Typical sentences have a few hundred bytes.
const longestPiece = 3000

// nextPiece returns the size of the first piece of a text of valid UTF-8. The piece ends with the
// first line or sentence. If that is too long, it ends at the last white space within the limit, or
// at the limit if there is none. Only ideographic marks end a sentence, since full stops also occur
// in words and numbers.
func nextPiece(text []byte) int {
	within := text[:min(len(text), longestPiece)]
	for at := 0; at < len(within); {
		r, size := utf8.DecodeRune(text[at:])
		at += size
		switch r {
		case '\n', '。', '！', '？':
			return at
		}
	}
	if len(text) <= longestPiece {
		return len(text)
	}
	if space := bytes.LastIndexAny(within, " \t"); space >= 0 {
		return space + 1
	}
	size := longestPiece
	for !utf8.RuneStart(text[size]) {
		size--
	}
	return size
}

// Frequencies returns the inverse document frequencies of Chinese words, from jieba's list of some
// 270,000 words, which gse embeds. Words are those of this package in lower case. Words not in the
// list have its median weight, as in gse and jieba. The first call takes some tenths of a second
// and 30 MB.
func Frequencies() (*weights.List, error) { return frequencies() }

var frequencies = sync.OnceValues(func() (*weights.List, error) {
	words := map[string]float64{}
	var values []float64
	for line := range strings.Lines(gse.ZhIdf) {
		word, number, _ := strings.Cut(strings.TrimSpace(line), " ")
		value, err := strconv.ParseFloat(number, 64)
		if err != nil {
			return nil, fmt.Errorf("zh: expected a word and a number, got %q", line)
		}
		words[word] = value
		values = append(values, value)
	}
	slices.Sort(values)
	return weights.NewList(words, values[len(values)/2])
})
