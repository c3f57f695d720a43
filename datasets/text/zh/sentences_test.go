package zh

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestNextPiece(t *testing.T) {
	for text, want := range map[string]int{
		"":                        0,
		"abc":                     3,
		"3.14 Mr. X":              10,
		"a\nb":                    2,
		"好。好":                     6,
		"好？！":                     6,
		strings.Repeat("a", 3000): 3000,
		strings.Repeat("a", 3001): 3000,
		strings.Repeat("a", 2000) + " " + strings.Repeat("a", 2000): 2001,
		strings.Repeat("a", 2990) + strings.Repeat("日", 10):         2999, // not inside a character
		strings.Repeat("a", 2998) + "。" + "b":                       3001, // the mark begins within the limit
	} {
		if got := nextPiece([]byte(text)); got != want {
			t.Errorf("%.20q, of %d bytes: expected %d, got %d", text, len(text), want, got)
		}
	}
}

func FuzzSentences(f *testing.F) {
	f.Add("好。好 a\n")
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "日") + strings.Repeat(strings.ToValidUTF8(text, ""), 100)
		for text != "" {
			size := nextPiece([]byte(text))
			if size < 1 || size > longestPiece+utf8.UTFMax || size < len(text) && !utf8.RuneStart(text[size]) {
				t.Fatalf("%d of %q", size, text)
			}
			text = text[size:]
		}
	})
}
