package zh

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/datasets/text"
)

// analyzerOf returns the Analyzer for a definition.
func analyzerOf(t testing.TB, definition string) *text.Analyzer {
	t.Helper()
	options, err := text.ParseOptions(definition)
	if err != nil {
		t.Fatal(err)
	}
	analyzer, err := text.New(options)
	if err != nil {
		t.Fatal(err)
	}
	return analyzer
}

func featuresOf(analyzer *text.Analyzer, s string) (list []string) {
	for _, feature := range analyzer.Append(nil, []byte(s)) {
		list = append(list, string(feature))
	}
	return list
}

func TestWords(t *testing.T) {
	for _, c := range []struct{ definition, text, want string }{
		{"words,lang=zh", "我来到北京清华大学。", "我 来到 北京 清华大学"},
		{"words,lang=zh", "他来到了网易杭研大厦", "他 来到 了 网易 杭研 大厦"},
		{"words,lang=zh", "小明碩士畢業於中國科學院計算所", "小明 碩士 畢業 於 中國科學院 計算所"},
		{"words,lang=zh", "Go语言 İSTANBUL ABC，3.14", "Go 语言 İSTANBUL ABC 3.14"},
		{"words,lang=zh,fold", "Go语言\nHELLO", "go 语言 hello"},
		{"words,lang=zh,stop,fold", "我们来到了北京的清华大学", "来到 北京 清华大学"},
		{"words,lang=auto", "清华大学", "清华 华大 大学"},
	} {
		if diff := cmp.Diff(strings.Fields(c.want), featuresOf(analyzerOf(t, c.definition), c.text)); diff != "" {
			t.Errorf("%s of %q: expected -, got +\n%s", c.definition, c.text, diff)
		}
	}
}

// Words of any text, concatenated, are the text: nothing is lost between them.
func TestWordsAreTheText(t *testing.T) {
	s, err := load()
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{
		"我来到北京，ABC-def 3.14%\r\n\tİİ ẞ\u0301 ｶﾞ😀\u200d の 々〇", strings.Repeat("乂龘", 3000), strings.Repeat("x", 7000), "\n\n。", "",
	}
	pieces := []string{
		"我", "清华大学", "杭研", "乂",
		"ABC", "İ", "3.14", "。", "，", " ", "\n", "\u0301", "\u200d", "\ufffd", "\x00", "😀", "ｶﾞ", "々", "ー", "한", "ẞ", "\U000e0001",
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		var text string
		for range 1 + random.IntN(12) {
			text += pieces[random.IntN(len(pieces))]
		}
		texts = append(texts, text)
	}
	for _, text := range texts {
		if got := bytes.Join(s.AppendWords(nil, []byte(text)), nil); string(got) != text {
			t.Errorf("expected %.100q, got %.100q", text, got)
		}
	}
}

// Goroutines can share one dictionary. Run this with the race detector.
func TestGoroutines(t *testing.T) {
	const text = "我来到北京清华大学"
	analyzer := analyzerOf(t, "words,lang=zh")
	want := featuresOf(analyzer, text)
	var workers sync.WaitGroup
	for range 4 {
		other := analyzer.Clone()
		workers.Go(func() {
			for range 50 {
				if got := featuresOf(other, text); !slices.Equal(got, want) {
					t.Errorf("expected %q, got %q", want, got)
				}
			}
		})
	}
	workers.Wait()
}

// BenchmarkText compares the words with the library's words for the same text.
func BenchmarkText(b *testing.B) {
	analyzer := analyzerOf(b, "words,lang=zh")
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
