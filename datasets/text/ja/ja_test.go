package ja

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ikawaha/kagome/v2/tokenizer"

	"simhashkit/datasets/text"
)

// New returns an Analyzer of a definition; loading takes most of a second.
func newAnalyzer(t testing.TB, definition string) *text.Analyzer {
	t.Helper()
	if testing.Short() {
		t.Skip("loading the dictionary takes a second")
	}
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
		{"words,lang=ja", "すもももももももものうち。", "すもも も もも も もも の うち"},
		{"words,lang=ja", "東京タワーに行きました", "東京 タワー に 行き まし た"},
		{"words,lang=ja", "Goで İSTANBUL ABC、314", "Go で İSTANBUL ABC 314"},
		{"words,lang=ja,fold,nfkc", "ＧＯ言語\nHELLO", "go 言語 hello"},
		{"words,lang=auto+ja", "東京タワーに行きました", "東京 タワー に 行き まし た"},
		{"words,lang=auto+ja", "清华大学", "清华 华大 大学"},
		{"words,lang=auto", "東京に", "東京 京に"},
	} {
		if diff := cmp.Diff(strings.Fields(c.want), featuresOf(newAnalyzer(t, c.definition), c.text)); diff != "" {
			t.Errorf("%s of %q: expected -, got +\n%s", c.definition, c.text, diff)
		}
	}
}

// Nothing of a text is lost between words, whatever stands in it.
func TestWordsAreTheText(t *testing.T) {
	newAnalyzer(t, "words,lang=ja")
	s, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{
		"我来到北京，ABC-def 3.14%\r\n\tİİ ẞ\u0301 ｶﾞ😀\u200d の 々〇", strings.Repeat("乂龘", 3000), strings.Repeat("x", 7000), "\n\n。", "",
	}
	pieces := []string{"東京", "すもも", "に", "タワー", "ABC", "İ", "3.14", "。", "，", " ", "\n", "\u0301", "\u200d", "\ufffd", "\x00", "😀", "ｶﾞ", "々", "ー", "한", "ẞ", "\U000e0001"}
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

var loaded = sync.OnceValues(load)

// Goroutines share one dictionary: the race detector looks on.
func TestGoroutines(t *testing.T) {
	analyzer := newAnalyzer(t, "words,lang=ja")
	want := featuresOf(analyzer, "東京タワーに行きました")
	var workers sync.WaitGroup
	for range 4 {
		other := analyzer.Clone()
		workers.Go(func() {
			for range 50 {
				if got := featuresOf(other, "東京タワーに行きました"); !slices.Equal(got, want) {
					t.Errorf("expected %q, got %q", want, got)
				}
			}
		})
	}
	workers.Wait()
}

// BenchmarkText holds words against what the library takes for the same text.
func BenchmarkText(b *testing.B) {
	analyzer := newAnalyzer(b, "words,lang=ja")
	s, err := loaded()
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
