package text_test

import (
	"bytes"
	"hash/crc64"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"simhashkit/internal/unicode15"
)

// Letters added in Unicode 15.1, 16.0 and 17.0. Newer tables of Go and of golang.org/x/text contain
// them, but results must not depend on these tables.
const (
	han       = "\U0002EBF0\U000323B0" // CJK extensions I and J
	cyrillic  = "\u1C89"               // folds to U+1C8A
	latin     = "\uA7DC"               // folds to the older U+019B
	outlined  = "\U0001CCD6"           // NFKC maps it to A
	todhri    = "\U000105D2\u0307"     // NFKC composes it with the older mark
	mark      = "\u1ACF"               // class 230
	modifier  = "\uA7F1"               // NFKC maps it to S
	olderMark = "\u0323"               // class 220: NFKC moves it before class 230
)

// The features of a text with newer letters are equal with every Go toolchain.
func TestFeaturesAreFrozen(t *testing.T) {
	for _, c := range []struct{ definition, text, want string }{
		{"words", "one " + han + " two", "one|two"},
		{"words", "漢" + han + "字", "漢|字"},
		{"words", cyrillic + " Один " + latin + "x", "Один|" + latin + "x"},
		{"words", outlined + " " + todhri + " " + modifier, ""},
		{"words,fold", "A" + latin + " " + "Б" + cyrillic, "a" + latin + "|б" + cyrillic},
		{"words,nfkc", "x" + outlined + " ﬁ" + modifier, "x|fi" + modifier},
		{"characters,n=2", latin + "É", latin + "É"},
		{"characters,n=2,fold", latin + "É" + cyrillic, latin + "é|é" + cyrillic},
		{"characters,n=2,nfkc", "ﬁ" + todhri, "fi|i\U000105D2|" + todhri},
		{"characters,n=2,nfkc", "ﬁ" + outlined + "e\u0301" + modifier, "fi|i" + outlined + "|" + outlined + "é|é" + modifier},
		{"characters,n=4,nfkc", "ﬁ" + mark + olderMark, "fi" + mark + olderMark},
		{"bytes,n=3,nfkc,fold", latin + cyrillic, latin + "|" + latin[1:] + cyrillic[:1] + "|" + latin[2:] + cyrillic[:2] + "|" + cyrillic},
		{"words,lang=en,fold,stop,stem", "the RUNNING" + latin + " running " + cyrillic, "running" + latin + "|run"},
	} {
		want := slices.DeleteFunc(strings.Split(c.want, "|"), func(s string) bool { return s == "" })
		var have []string
		for _, feature := range newAnalyzer(t, c.definition).Append(nil, []byte(c.text)) {
			have = append(have, string(feature))
		}
		if !slices.Equal(have, want) {
			t.Errorf("%s of %+q: expected %+q, got %+q", c.definition, c.text, want, have)
		}
	}
}

// Newer letters belong to no word.
func TestPlainWordsAreFrozen(t *testing.T) {
	a := newAnalyzer(t, "words,plain")
	have := a.Append(nil, []byte("a"+han+latin+"b"+mark))
	want := []string{"a", "b"}
	if !slices.EqualFunc(have, want, func(b []byte, s string) bool { return string(b) == s }) {
		t.Errorf("expected the words %+q, got %+q", want, have)
	}
}

// Folding and NFKC do not change a code point that is not assigned in Unicode 15.0, whatever
// surrounds it. Their results for all other code points are equal with every toolchain.
func TestPreparedTextIsFrozen(t *testing.T) {
	const want = 0x47624d71e0bf60bd
	sum := crc64.New(crc64.MakeTable(crc64.ECMA))
	for _, definition := range []string{"characters,n=1,fold", "characters,n=1,nfkc"} {
		a := newAnalyzer(t, definition)
		for r := rune(0x80); r <= unicode.MaxRune; r++ {
			if !utf8.ValidRune(r) || r >= 0x34000 && r < 0xE0000 || r >= 0xE1000 { // no letters
				continue
			}
			in := "\u0345É\u0323" + string(r) + "\u0301\u0307\u0323" + string(r) + string(r)
			prepared := bytes.Join(a.Append(nil, []byte(in)), nil)
			sum.Write(prepared)
			if !unicode15.IsAssigned(r) && bytes.Count(prepared, []byte(string(r))) != 3 {
				t.Errorf("%s: expected %U as it is, got %+q", definition, r, prepared)
			}
		}
	}
	if have := sum.Sum64(); have != want {
		t.Errorf("expected the checksum %#x, got %#x", uint64(want), have)
	}
}
