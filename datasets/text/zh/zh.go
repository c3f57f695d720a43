// Package zh splits Chinese text into words with a dictionary, using github.com/go-ego/gse.
// Importing it registers the language "zh" with package text.
//
// The program embeds the dictionary, simplified and traditional, and a hidden Markov model for
// unknown words. The first Analyzer that needs them loads them, which takes about three seconds and
// 320 MB. Words are those of gse's CutDAG (jieba's accurate mode), applied to each line and
// sentence separately, but with their original case, since gse returns lower case. Their document
// frequencies are in package weights/zhidf. If you do not need dictionary words, use lang=auto.
package zh

import (
	"unicode/utf8"

	"github.com/go-ego/gse"

	"simhashkit/datasets/text"
	"simhashkit/datasets/text/internal/sentences"
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
		piece := text[:sentences.Next(text)]
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
