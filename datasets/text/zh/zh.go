// Package zh cuts Chinese into words by dictionary, with github.com/go-ego/gse. Importing it
// registers the language "zh" with package text.
//
// The dictionary, simplified and traditional, and a hidden Markov model for what is not in it are
// in the program; they are loaded when the first Analyzer asks for them, which takes about three
// seconds and 320 MB. Words are cut as by gse's CutDAG, which is jieba's accurate mode, from each
// line and sentence by itself, but with their letters as they stand: that gse makes them lower-case
// has no part in it. Their document frequencies are in package weights/zhidf. Who does not need
// words of the dictionary is served better by lang=auto.
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

// IsStop tells the commonest words, by the list of gse.
func (s *segmenter) IsStop(word string) bool { return s.gse.IsStop(word) }

// AppendWords appends the words of a text, as slices of it.
func (s *segmenter) AppendWords(dst [][]byte, text []byte) [][]byte {
	for len(text) > 0 {
		piece := text[:sentences.Next(text)]
		text = text[len(piece):]
		for _, word := range s.gse.CutDAG(string(piece)) {
			// lower-case letters can have other sizes, but there are as many
			size := sizeOf(piece, utf8.RuneCountInString(word))
			dst = append(dst, piece[:size:size])
			piece = piece[size:]
		}
	}
	return dst
}

// sizeOf returns how many bytes the first code points of a text have.
func sizeOf(text []byte, count int) (size int) {
	for range count {
		_, width := utf8.DecodeRune(text[size:])
		size += width
	}
	return size
}
