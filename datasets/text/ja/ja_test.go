package ja

import (
	"strings"
	"testing"

	"simhashkit/datasets/text/internal/dictionaries"

	"github.com/ikawaha/kagome/v2/tokenizer"
)

func TestWords(t *testing.T) {
	dictionaries.Words(t, [][3]string{
		{"words,lang=ja", "すもももももももものうち。", "すもも も もも も もも の うち"},
		{"words,lang=ja", "東京タワーに行きました", "東京 タワー に 行き まし た"},
		{"words,lang=ja", "Goで İSTANBUL ABC、314", "Go で İSTANBUL ABC 314"},
		{"words,lang=ja,fold,nfkc", "ＧＯ言語\nHELLO", "go 言語 hello"},
		{"words,lang=auto+ja", "東京タワーに行きました", "東京 タワー に 行き まし た"},
		{"words,lang=auto+ja", "清华大学", "清华 华大 大学"},
		{"words,lang=auto", "東京に", "東京 京に"},
	})
}

// Nothing of a text is lost between words, whatever stands in it.
func TestWordsAreTheText(t *testing.T) {
	s, err := load()
	if err != nil {
		t.Fatal(err)
	}
	dictionaries.LosesNothing(t, s, "東京", "すもも", "に", "タワー")
}

func TestGoroutines(t *testing.T) {
	dictionaries.Goroutines(t, "words,lang=ja", "東京タワーに行きました")
}

// BenchmarkText holds words against what the library takes for the same text.
func BenchmarkText(b *testing.B) {
	analyzer := dictionaries.Analyzer(b, "words,lang=ja")
	s, err := load()
	if err != nil {
		b.Fatal(err)
	}
	document := strings.Repeat("東京タワーに行きました。昨日は京都大学で、すもももももももものうちという話を聞いた。\n", 20)
	b.Run("features=tokens/lang=ja", func(b *testing.B) {
		b.SetBytes(int64(len(document)))
		for b.Loop() {
			s.(segmenter).kagome.Analyze(document, tokenizer.Normal)
		}
	})
	b.Run("features=words/lang=ja", func(b *testing.B) {
		b.SetBytes(int64(len(document)))
		var features [][]byte
		for b.Loop() {
			features = analyzer.Append(features[:0], []byte(document))
		}
	})
}
