package similarity

import (
	"math"
	"testing"
)

// Case and punctuation are ignored, each character of a script without spaces is a word, and texts
// without words equal only texts with the same bytes.
func TestSimilarityOfTexts(t *testing.T) {
	h := NewWordHasher(false)
	var c Comparer
	for _, test := range []struct {
		a, b string
		want float64
	}{
		{"One, two: THREE four.", "one two three four", 1},
		{"I would recommend this film", "I would not recommend this film", 5. / 6},
		{"the dog bites the man", "the man bites the dog", 3. / 5},
		{"a b c d e f g h i j", "a b c d e f g h i x", 0.9},
		{"one ...................... two", "six ...................... ten", 0},
		{"ÉCOLE Straße ΣΊΣΥΦΟΣ", "école STRASSE σίσυφοσ", 1},
		{"東京の文書 libabc", "東京の文書 libxyz", 8. / 11},
		{"a long sentence with one 字", "a long sentence with one 木", 5. / 6},
		{"東京都", "東京", 2. / 3},
		{"+++ --", "+++ --", 1},
		{"+++ --", "+++ -- ", 0},
		{"😀", "😀", 1},
		{"😀", "😁", 0},
		{"\n。", "\n。", 1},
		{" ", "  ", 0},
		{"", "", 0},
		{"", " ", 0},
		{"\xff a", "a \xfe", 1},
		{"ｆilm", "film", 0},
	} {
		got, err := c.Similarity(t.Context(), h.Append(nil, []byte(test.a)), h.Append(nil, []byte(test.b)))
		if err != nil || got != test.want {
			t.Errorf("%q and %q: %v, %v, expected %v", test.a, test.b, got, err, test.want)
		}
	}
	if got := h.Append([]uint64{7}, []byte("one two")); len(got) != 3 || got[0] != 7 {
		t.Errorf("appended: %v", got)
	}
}

// The hash of a text without words differs from the hash of a word with the same bytes.
func TestSignsAreNoWord(t *testing.T) {
	h := NewWordHasher(false)
	signs, word := h.Append(nil, []byte("***")), h.Append(nil, []byte("a"))
	h.bytes.ResetWithSeed(0)
	h.bytes.Write([]byte("***"))
	if len(signs) != 1 || len(word) != 1 || signs[0] == h.bytes.Sum64() {
		t.Errorf("%x: expected one hash that differs from a word's hash", signs)
	}
}

func TestHasherAllocatesNothing(t *testing.T) {
	h, dst := NewWordHasher(false), []uint64{}
	for _, text := range []string{"The quick brown fox, the lazy dog.", "東京の文書", "***"} {
		if n := testing.AllocsPerRun(10, func() { dst = h.Append(dst[:0], []byte(text)) }); n > 1 { // the conversion
			t.Errorf("%q: %v allocations", text, n)
		}
	}
}

func TestJaccard(t *testing.T) {
	h := NewWordHasher(false)
	for _, test := range []struct {
		a, b    string
		jaccard float64
	}{
		{"a b c d", "D, c! B a a", 1},
		{"a b c d", "x a b c y", 3. / 6},
		{"b c d", "a b c d e", 3. / 5},
		{"a b a b a b", "a b a x", 2. / 3},
		{"a b", "b a", 1},
		{"a", "", 0},
		{"", "", 0},
	} {
		a, b := h.Append(nil, []byte(test.a)), h.Append(nil, []byte(test.b))
		if got := Jaccard(a, b); math.Abs(got-test.jaccard) > 1e-12 {
			t.Errorf("%q and %q: Jaccard %v, expected %v", test.a, test.b, got, test.jaccard)
		}
	}
}
