package text_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/datasets/text"
)

// atSpaces is a fake dictionary that splits at spaces.
type atSpaces struct{}

func (atSpaces) AppendWords(dst [][]byte, s []byte) [][]byte {
	return append(dst, bytes.Split(s, []byte(" "))...)
}

func (atSpaces) IsStop(word string) bool { return word == "我们" }

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
	}{
		{"words,lang=zh", "我们 don't-x ， 51区", []string{"我们", "don't-x", "51区"}},
		{"words,lang=zh", "plain text", []string{"plain", "text"}},
		{"words,lang=zh,n=2", "我们 来 到", []string{"我们 来", "来 到"}},
		{"words,lang=zh,fold", "東 京-A\tB ！", []string{"東", "京-a", "b"}},
		{"words,lang=zh,stop", "我们 来", []string{"来"}},
		{"words", "just 我们", []string{"just", "我们"}},
	} {
		analyzer := newAnalyzer(t, c.definition)
		if diff := cmp.Diff(c.want, featuresOf(analyzer.Clone(), c.text)); diff != "" {
			t.Errorf("%s of %q: expected -, got +\n%s", c.definition, c.text, diff)
		}
	}
	if loads["zh"] != 1 || loads["xx"] > 1 {
		t.Errorf("expected the dictionary to be loaded once: %v", loads)
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
