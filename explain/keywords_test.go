package explain

import (
	"strings"
	"testing"

	"simhashkit/datasets/text/weights"
)

func keyword(feature string, weight float64) weights.Keyword {
	return weights.Keyword{Feature: []byte(feature), Weight: weight}
}

// A list has each word once, with its greatest weight, whichever document comes first.
func TestKeywordList(t *testing.T) {
	a := Keywords{"a", 9, []weights.Keyword{keyword("both", 3), keyword("a\tb", 1)}}
	b := Keywords{"b", 9, []weights.Keyword{keyword("both", 2)}}
	for _, documents := range [][]Keywords{{a, b}, {b, a}} {
		var list strings.Builder
		if err := WriteKeywords(&list, documents, "tfidf", "list"); err != nil {
			t.Fatal(err)
		}
		if want := "a\\tb\t1\nboth\t3\n"; list.String() != want {
			t.Errorf("%q, want %q", list.String(), want)
		}
	}
	if err := WriteKeywords(&strings.Builder{}, nil, "", "xml"); err == nil || err.Error() != `explain: unknown format "xml"; expected text, json, list` {
		t.Errorf("error %v", err)
	}
}
