package text

import (
	"bytes"
	"slices"
	"testing"

	"github.com/cespare/xxhash/v2"

	"simhashkit/internal/unicode15"
)

// naivePlain cuts the plain words of a text, character by character: one that is no letter, digit
// or mark ends a word, and so does each character of a script without spaces.
func naivePlain(text string) []string {
	var words []string
	open := byte(0) // 'w' in a word, 'c' behind a character that is one
	for _, r := range text {
		switch {
		case unicode15.IsMark(r) && open > 0:
			words[len(words)-1] += string(r)
		case IsUnspaced(r):
			words, open = append(words, string(r)), 'c'
		case isLetterOrNumber(r) && open == 'w':
			words[len(words)-1] += string(r)
		case isLetterOrNumber(r):
			words, open = append(words, string(r)), 'w'
		default:
			open = 0
		}
	}
	return words
}

func checkPlain(t *testing.T, text string) {
	t.Helper()
	spans, _ := appendScanned(nil, []byte(text), 0, len(text), true)
	want := naivePlain(text)
	if !slices.EqualFunc(spans, want, func(s span, word string) bool { return text[s.From:s.To] == word }) {
		t.Fatalf("plain words of %q: expected %q, got %v", text, want, spans)
	}
}

func TestPlain(t *testing.T) {
	a, err := New(Options{Plain: true, Fold: true})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"Abraham\u2019s, Abraham's": "abraham|s|abraham|s",
		"上海の天気":                     "上|海|の|天|気",
		"Go は速い, A-1":               "go|は|速|い|a|1",
		"a上b3.14_x":                 "a|上|b3|14|x",
		"…":                         "",
		"か\u3099き\u3099ア":           "か\u3099|き\u3099|ア",
		"e\u0301a \u0301b":          "e\u0301a|b",
	} {
		if got := string(bytes.Join(a.Append(nil, []byte(text)), []byte("|"))); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if o, err := ParseOptions("words,fold,plain"); err != nil || !o.Plain || o.String() != "words,n=1,lang=auto,fold,plain" {
		t.Errorf("%v, %v", o, err)
	}
	if _, err := New(Options{Plain: true, Code: true}); err == nil {
		t.Error("plain words with code are no error")
	}
}

// Plain words are those of the naive loop, and so are their hashes, in one piece and in batches.
func FuzzPlain(f *testing.F) {
	for _, text := range []string{"don't stop", "上海 has 3 \u0301 signs\u0301", "\xff\u3099か_ー", "ab\u0301c\u200dd"} {
		f.Add(text)
	}
	a, err := New(Options{Plain: true, Fold: true})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		want := naivePlain(string(a.Clone().prepare([]byte(text))))
		got := a.Append(nil, []byte(text))
		if !slices.EqualFunc(got, want, func(b []byte, s string) bool { return string(b) == s }) {
			t.Fatalf("%q: %q, want %q", text, got, want)
		}
		for i, index := range a.AppendIndices(nil, []byte(text)) {
			if index != xxhash.Sum64String(want[i]) {
				t.Fatalf("%q: index %d is none of %q", text, i, want[i])
			}
		}
		if len(text)%8 > 0 { // the rest takes much longer
			return
		}
		long, n := []byte(text), 0
		for len(text) > 0 && len(long) < batchBytes+100 {
			long = append(append(long, ' '), text...)
		}
		for batch := range a.IndexBatches(long) {
			n += len(batch)
		}
		if whole := len(a.AppendIndices(nil, long)); n != whole {
			t.Fatalf("%q: %d words in batches, %d in one piece", text, n, whole)
		}
	})
}
