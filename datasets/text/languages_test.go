package text_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/datasets/text"
)

// atSpaces is a fake dictionary that splits at spaces.
type atSpaces struct{}

func (atSpaces) AppendWords(dst [][]byte, s []byte) [][]byte {
	return append(dst, bytes.Split(s, []byte(" "))...)
}

// loads counts the loads of each dictionary.
var loads = map[string]int{}

func init() {
	register := func(language string, segmenter text.Segmenter, err error) {
		text.Register(language, func() (text.Segmenter, error) {
			loads[language]++
			return segmenter, err
		})
	}
	register("zh", atSpaces{}, nil)
	register("xx", nil, errors.New("no such file"))
}

func TestDictionaries(t *testing.T) {
	for _, c := range []struct {
		definition, text string
		want             []string
		choice           string
	}{
		{"words,lang=zh", "我们 don't-x ， 51区", []string{"我们", "don't-x", "51区"}, "words by the dictionary that was asked for"},
		{"words,lang=zh", "plain text", []string{"plain", "text"}, "words by the dictionary that was asked for"},
		{"words,lang=zh,n=2", "我们 来 到", []string{"我们 来", "来 到"}, ""},
		{"words,lang=zh,fold", "東 京-A\tB ！", []string{"東", "京-a", "b"}, ""},
		{"words,lang=auto+zh", "我们 来 到", []string{"我们", "来", "到"}, "words by dictionary: 100% of the letters are Chinese characters, 0% kana"},
		{"words,lang=auto+zh", "我们来 is a word", []string{"我们", "们来", "is", "a", "word"}, "words by UAX #29, and every two neighbouring characters where there are no spaces: 3"},
		{"words,lang=auto+zh", "日本語の 文です", []string{"日本", "本語", "語の", "文で", "です"}, "words by UAX #29, and every two neighbouring characters where there are no spaces: 57% of the letters are Chinese characters, 43% kana"},
		{"words,lang=en+zh,stop", "the 我们来 到这里 in", []string{"我们来", "到这里"}, "words by dictionary"},
		{"words,lang=auto+zh", "just don't", []string{"just", "don't"}, "words by UAX #29: no letters of scripts without spaces"},
		{"words", "just 我们", []string{"just", "我们"}, "words by UAX #29, and every two"},
	} {
		analyzer := newAnalyzer(t, c.definition)
		if diff := cmp.Diff(c.want, featuresOf(analyzer.Clone(), c.text)); diff != "" {
			t.Errorf("%s of %q: expected -, got +\n%s", c.definition, c.text, diff)
		}
		if got := analyzer.Choose([]byte(c.text)).String(); !strings.HasPrefix(got, c.choice) {
			t.Errorf("%s of %q: expected the choice %q, got %q", c.definition, c.text, c.choice, got)
		}
	}
	if loads["zh"] != 1 || loads["xx"] > 1 {
		t.Errorf("expected the dictionary to be loaded once: %v", loads)
	}
}

func TestChoose(t *testing.T) {
	analyzer := newAnalyzer(t, "words")
	for s, want := range map[string]text.Choice{
		"":              {},
		"abc 123":       {Letters: 3},
		"Ωμέγα a":       {Letters: 6},
		"漢字の":           {Language: "ja", Letters: 3, Unspaced: 3, Han: 2, Kana: 1},
		"漢字漢字漢字漢字漢字の":   {Language: "zh", Letters: 11, Unspaced: 11, Han: 10, Kana: 1},
		"漢字漢字漢字漢字漢の":    {Language: "ja", Letters: 10, Unspaced: 10, Han: 9, Kana: 1},
		"漢字 ab":         {Language: "zh", Letters: 4, Unspaced: 2, Han: 2},
		"漢字 abc":        {Letters: 5, Unspaced: 2, Han: 2},
		"ไทย":           {Letters: 3, Unspaced: 3},
		"〇々ー\xff１":      {Language: "ja", Letters: 3, Unspaced: 3, Han: 2, Kana: 1},
		"서울 Привет été": {Letters: 11},
	} {
		if diff := cmp.Diff(want, analyzer.Choose([]byte(s))); diff != "" {
			t.Errorf("of %q: expected -, got +\n%s", s, diff)
		}
	}
}

func TestDictionariesRefused(t *testing.T) {
	for _, definition := range []string{"words,lang=xx", "words,lang=xx"} {
		options, err := text.ParseOptions(definition)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := text.New(options); err == nil || err.Error() != `text: loading the dictionary of language "xx": no such file` {
			t.Errorf("%s: got %v", definition, err)
		}
	}
	for _, language := range []string{"", "auto", "en", "zh"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Register(%q): expected a panic", language)
				}
			}()
			text.Register(language, nil)
		}()
	}
}
