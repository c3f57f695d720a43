package text_test

import (
	"strings"
	"testing"

	"simhashkit/datasets/text"
)

func TestDefinitionsTravel(t *testing.T) {
	for _, c := range []struct{ definition, want string }{
		{"words", "words,n=1,lang=auto"},
		{"words,fold,nfkc,n=3", "words,n=3,lang=auto,nfkc,fold"},
		{"words,numbered,symbols,plain", "words,n=1,lang=auto,plain,symbols,numbered"},
		{"words,stem,stop,lang=en", "words,n=1,lang=en,stop,stem"},
		{"characters,nfkc", "characters,n=3,nfkc"},
		{"bytes", "bytes,n=8"},
		{"bytes,n=1000,fold", "bytes,n=1000,fold"},
	} {
		options, err := text.ParseOptions(c.definition)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := options.String(); got != c.want {
			t.Errorf("%s: expected %s, got %s", c.definition, c.want, got)
		}
		again, err := text.ParseOptions(c.want)
		if err != nil || again.String() != c.want {
			t.Errorf("%s: expected it to read back, got %v and %v", c.want, again, err)
		}
	}
	if got := (text.Options{}).String(); got != "words,n=1,lang=auto" {
		t.Errorf("of the zero options: got %s", got)
	}
}

func TestDefinitionsRefused(t *testing.T) {
	for definition, want := range map[string]string{
		"":                    `unknown features "": expected words, characters or bytes`,
		"word":                `unknown features "word": expected words, characters or bytes`,
		"auto":                `expected words, characters or bytes; for a language words,lang=auto`,
		"zh,fold":             `expected words, characters or bytes; for a language words,lang=zh`,
		"words,n=0":           `n is "0", expected a number from 1 to 1000`,
		"words,n=x":           `n is "x", expected a number from 1 to 1000`,
		"words,n=1001":        `n is 1001, expected 1 to 1000`,
		"words,":              `unknown field "", expected n=, lang=, nfkc, fold, plain, symbols, numbered, stop or stem`,
		"words,fold=1":        `unknown field "fold", expected n= or lang=`,
		"words,lang=":         `unknown field "lang", expected n= or lang=`,
		"words,fold,fold":     `"fold" occurs twice in the definition "words,fold,fold": expected it once`,
		"words,n=1,n=2":       `"n" occurs twice in the definition "words,n=1,n=2": expected it once`,
		"words,stop=12":       `unknown field "stop", expected n= or lang=`,
		"words,symbols":       `symbols require plain words: expected plain in words,n=1,lang=auto,symbols`,
		"bytes,symbols":       `bytes have no language, plain or numbered words, symbols, stop words or stems: expected features words for these`,
		"bytes,stem":          `bytes have no language, plain or numbered words, symbols, stop words or stems: expected features words for these`,
		"characters,lang=en":  `characters have no language, plain or numbered words, symbols, stop words or stems: expected features words for these`,
		"characters,n=2,stop": `characters have no language, plain or numbered words, symbols, stop words or stems: expected features words for these`,
	} {
		if _, err := text.ParseOptions(definition); err == nil || !strings.HasPrefix(err.Error(), "text: ") || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: expected %s, got %v", definition, want, err)
		}
	}
}

func TestOptionsRefused(t *testing.T) {
	for want, options := range map[string]text.Options{
		`text: there are no stop words for lang=auto: expected one of en, es, fr, hu, no, ru, sv, zh`: {Stop: true},
		`text: there are no stems for lang=auto: expected one of en, es, fr, hu, no, ru, sv`:          {Stem: true},
		`text: n is -1, expected 1 to 1000`: {N: -1},
		`text: unknown language "ja": expected auto, which takes words between spaces, and every two neighbouring characters where there are none, or one of en, es, fr, hu, no, ru, sv, zh`: {Language: "ja"},
	} {
		if _, err := text.New(options); err == nil || err.Error() != want {
			t.Errorf("%v: expected %s, got %v", options, want, err)
		}
	}
}
