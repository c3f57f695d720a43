package text

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// All of a text but white space is in a token, and what a token is does not depend on where others
// end.
func TestTokens(t *testing.T) {
	for _, c := range []struct{ options, text, want string }{
		{"words", "The GNU C++ compiler, 4.2", "The|GNU|C|+|+|compiler|,|4|.|2"},
		{"words", "  don't\t\n stop ", "don|'|t|stop"},
		{"words,fold", "Über ÜBER", "über|über"},
		{"words,nfkc", "ｆｕｌｌ", "full"},
		{"words", "東京に行くGo", "東|京|に|行|く|Go"},
		{"words", "cafe\u0301 e\u0301a", "cafe\u0301|e\u0301a"}, // a mark belongs to the letter before it
		{"words", "กีข", "กี|ข"},
		{"words", "a\xffb", "a|\ufffd|b"},
		{"words", "", ""},
		{"words", " \u3000\n", ""},
	} {
		options, err := ParseOptions(c.options)
		if err != nil {
			t.Fatal(err)
		}
		a, err := New(options)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, token := range a.AppendTokens(nil, []byte(c.text)) {
			got = append(got, string(token))
		}
		if diff := cmp.Diff(c.want, strings.Join(got, "|")); diff != "" {
			t.Errorf("%q: -want +got\n%s", c.text, diff)
		}
	}
}
