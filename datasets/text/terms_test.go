package text

import (
	"strconv"
	"strings"
	"testing"
)

// The cache of an Analyzer stays bounded if texts keep adding new words.
func TestTermsAreBounded(t *testing.T) {
	l, err := languageOf("en")
	if err != nil {
		t.Fatal(err)
	}
	terms, err := newTerms(Options{Stop: true}, l)
	if err != nil {
		t.Fatal(err)
	}
	for i := range mostTerms + 10 {
		terms.replace([][]byte{strconv.AppendInt(nil, int64(i), 10)})
		if len(terms.known) > mostTerms {
			t.Fatalf("after %d words: expected %d at most, got %d", i+1, mostTerms, len(terms.known))
		}
	}
	if len(terms.known) != 10 {
		t.Errorf("expected the last 10, got %d", len(terms.known))
	}
	long := []byte(strings.Repeat("x", longestTerm+1))
	if got := terms.replace([][]byte{long}); len(got) != 1 || string(got[0]) != string(long) || terms.known[string(long)] != nil {
		t.Errorf("a long word: expected itself and nothing kept, got %q", got)
	}
}
