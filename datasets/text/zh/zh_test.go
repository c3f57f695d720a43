package zh

import (
	"strings"
	"testing"

	"simhashkit/datasets/text/internal/dictionaries"
)

func TestWords(t *testing.T) {
	dictionaries.Words(t, [][3]string{
		{"words,lang=zh", "我来到北京清华大学。", "我 来到 北京 清华大学"},
		{"words,lang=zh", "他来到了网易杭研大厦", "他 来到 了 网易 杭研 大厦"},
		{"words,lang=zh", "小明碩士畢業於中國科學院計算所", "小明 碩士 畢業 於 中國科學院 計算所"},
		{"words,lang=zh", "Go语言 İSTANBUL ABC，3.14", "Go 语言 İSTANBUL ABC 3.14"},
		{"words,lang=zh,fold", "Go语言\nHELLO", "go 语言 hello"},
		{"words,lang=zh,stop,fold", "我们来到了北京的清华大学", "来到 北京 清华大学"},
		{"words,lang=auto+zh", "我来到北京清华大学。", "我 来到 北京 清华大学"},
		{"words,lang=auto+zh", "the words of 清华大学", "the words of 清华 华大 大学"},
		{"words,lang=auto", "清华大学", "清华 华大 大学"},
	})
}

// Nothing of a text is lost between words, whatever stands in it.
func TestWordsAreTheText(t *testing.T) {
	s, err := load()
	if err != nil {
		t.Fatal(err)
	}
	dictionaries.LosesNothing(t, s, "我", "清华大学", "杭研", "乂")
}

func TestGoroutines(t *testing.T) {
	dictionaries.Goroutines(t, "words,lang=zh", "我来到北京清华大学")
}

// BenchmarkText holds words against what the library takes for the same text.
func BenchmarkText(b *testing.B) {
	analyzer := dictionaries.Analyzer(b, "words,lang=zh")
	s, err := load()
	if err != nil {
		b.Fatal(err)
	}
	document := strings.Repeat("我来到北京清华大学，他来到了网易杭研大厦。小明硕士毕业于中国科学院计算所，后在日本京都大学深造。\n", 20)
	b.Run("features=tokens/lang=zh", func(b *testing.B) {
		b.SetBytes(int64(len(document)))
		for b.Loop() {
			s.(*segmenter).gse.CutDAG(document)
		}
	})
	b.Run("features=words/lang=zh", func(b *testing.B) {
		b.SetBytes(int64(len(document)))
		var features [][]byte
		for b.Loop() {
			features = analyzer.Append(features[:0], []byte(document))
		}
	})
}
