// Package ja cuts Japanese into words by dictionary, with github.com/ikawaha/kagome and the IPA
// dictionary. Importing it registers the language "ja" with package text.
//
// The dictionary is in the program; it is loaded when the first Analyzer asks for it, which takes
// most of a second. Words are cut as in kagome's normal mode, from each line and sentence by
// itself. Who does not need words of the dictionary is served better by lang=auto.
package ja

import (
	"github.com/ikawaha/kagome-dict/ipa"
	"github.com/ikawaha/kagome/v2/tokenizer"

	"simhashkit/datasets/text"
	"simhashkit/datasets/text/internal/sentences"
)

func init() { text.Register("ja", load) }

func load() (text.Segmenter, error) {
	// without readings and parts of speech, which nothing here asks for
	t, err := tokenizer.New(ipa.DictShrink(), tokenizer.OmitBosEos())
	if err != nil {
		return nil, err
	}
	return segmenter{t}, nil
}

type segmenter struct{ kagome *tokenizer.Tokenizer }

// AppendWords appends the words of a text, as slices of it.
func (s segmenter) AppendWords(dst [][]byte, text []byte) [][]byte {
	for len(text) > 0 {
		piece := text[:sentences.Next(text)]
		text = text[len(piece):]
		for _, word := range s.kagome.Analyze(string(piece), tokenizer.Normal) {
			end := word.Position + len(word.Surface)
			dst = append(dst, piece[word.Position:end:end])
		}
	}
	return dst
}
