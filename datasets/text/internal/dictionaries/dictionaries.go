// Package dictionaries tests segmenters that cut texts by a dictionary.
package dictionaries

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

// Analyzer returns one of a definition.
func Analyzer(t testing.TB, definition string) *text.Analyzer {
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

// Words holds texts to their features: each case is a definition, a text, and its features with
// spaces between them.
func Words(t *testing.T, cases [][3]string) {
	for _, c := range cases {
		definition, text, want := c[0], c[1], c[2]
		if diff := cmp.Diff(strings.Fields(want), featuresOf(Analyzer(t, definition), text)); diff != "" {
			t.Errorf("%s of %q: expected -, got +\n%s", definition, text, diff)
		}
	}
}

// odd are pieces that texts of all languages may have.
var odd = []string{"ABC", "İ", "3.14", "。", "，", " ", "\n", "\u0301", "\u200d", "\ufffd", "\x00", "😀", "ｶﾞ", "々", "ー", "한", "ẞ", "\U000e0001"}

// LosesNothing has texts of odd pieces and those of the language cut, drawn at random: the words
// joined must be the text.
func LosesNothing(t *testing.T, s text.Segmenter, pieces ...string) {
	texts := []string{
		"我来到北京，ABC-def 3.14%\r\n\tİİ ẞ\u0301 ｶﾞ😀\u200d の 々〇", strings.Repeat("乂龘", 3000), strings.Repeat("x", 7000), "\n\n。", "",
	}
	pieces = append(pieces, odd...)
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

// Goroutines share one dictionary: the race detector looks on.
func Goroutines(t *testing.T, definition, text string) {
	analyzer := Analyzer(t, definition)
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
