package explain

import (
	"math"
	"strings"
	"testing"

	"simhashkit/datasets/text/weights"
	"simhashkit/fphash"
)

func document(t *testing.T, name, text string) Document {
	t.Helper()
	w, err := weights.New(weights.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var features [][]byte
	for word := range strings.FieldsSeq(text) {
		features = append(features, []byte(word))
	}
	return Document{name, len(text), w.Weigh(features)}
}

func compared(t *testing.T, a, b string, o Options) *Comparison {
	t.Helper()
	if o.Sketcher == nil {
		var err error
		if o.Sketcher, err = fphash.New(); err != nil {
			t.Fatal(err)
		}
	}
	c, err := Compare(document(t, "a", a), document(t, "b", b), o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// many returns n different words.
func many(n int) string {
	var words []string
	for i := range n {
		words = append(words, "w"+strings.Repeat("x", i%7)+string(rune('a'+i%26))+strings.Repeat("y", i/26))
	}
	return strings.Join(words, " ")
}

func TestCompare(t *testing.T) {
	c := compared(t, "to be or not to be", "to be or not to see", Options{K: 20, Words: 2})
	sketcher, err := fphash.New()
	if err != nil {
		t.Fatal(err)
	}
	words, _, err := fphash.Append(sketcher, nil, [][]byte{[]byte("be"), []byte("not"), []byte("or"), []byte("to")}, []float64{2, 1, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	if c.A.Fingerprint[0] != words[0] || c.A.Features != 4 || c.B.Features != 5 || c.A.Characters != 18 {
		t.Errorf("%+v", c.A)
	}
	// a is (be 2, not 1, or 1, to 2) and b is (be 1, not 1, or 1, see 1, to 2)
	if want := 8 / math.Sqrt(10*8); math.Abs(c.Cosine-want) > 1e-12 || c.Estimated != fphash.Cosine(c.Distance, 64) {
		t.Errorf("cosine %v, want %v; estimated %v", c.Cosine, want, c.Estimated)
	}
	if got := names(c.Heaviest); got != "to be" || math.Abs(c.Heaviest[0].Part-(4.0/10+4.0/8)/2) > 1e-12 {
		t.Errorf("heaviest %s %v", got, c.Heaviest)
	}
	if got := names(c.Differing); got != "see be" || c.Differing[0].A != 0 || c.Differing[0].B != 1 {
		t.Errorf("differing %s %v", got, c.Differing)
	}
	for k, near := range map[int]bool{c.Distance: true, c.Distance - 1: false} {
		if got := compared(t, "to be or not to be", "to be or not to see", Options{K: k}).Near(); got != near {
			t.Errorf("distance %d, k = %d: near %v", c.Distance, k, got)
		}
	}
	same := compared(t, "a b c", "c a b", Options{K: 3, Words: 5})
	if len(same.Differing) != 0 || same.Distance != 0 || same.Cosine != 1 || same.Finds != 1 || !same.Near() {
		t.Errorf("equal documents: %+v", same)
	}
}

func names(words []Word) string {
	var list []string
	for _, w := range words {
		list = append(list, string(w.Feature))
	}
	return strings.Join(list, " ")
}

// A comparison refers to no memory of the documents, which an Analyzer uses again.
func TestWordsAreCopies(t *testing.T) {
	sketcher, err := fphash.New()
	if err != nil {
		t.Fatal(err)
	}
	a, b := document(t, "a", "one"), document(t, "b", "two")
	c, err := Compare(a, b, Options{Sketcher: sketcher, Words: 2})
	if err != nil {
		t.Fatal(err)
	}
	a.Vector.Features[0][0] = 'x'
	if names(c.Heaviest) != "one two" || names(c.Differing) != "one two" {
		t.Errorf("%s, %s", names(c.Heaviest), names(c.Differing))
	}
}

// What one change does to a document is what it does to a vector of as many features.
func TestTooShort(t *testing.T) {
	for n, tooShort := range map[int]bool{1: true, 20: true, 50: true, 80: false, 400: false} {
		c := compared(t, many(n), many(n), Options{K: 3})
		if c.A.Features != n {
			t.Fatalf("%d features, want %d", c.A.Features, n)
		}
		if c.TooShort(c.A) != tooShort {
			t.Errorf("%d features: too short: %v, want %v: %+v", n, c.TooShort(c.A), tooShort, c.A.Change)
		}
		other := many(n)[strings.Index(many(n)+" ", " "):] + " another"
		if exact := compared(t, many(n), other, Options{}).Cosine; math.Abs(exact-c.A.Change.Cosine) > 1e-12 {
			t.Errorf("%d features: cosine %v after a change, said to be %v", n, exact, c.A.Change.Cosine)
		}
		within := cumulative(c.A.Change.Cosine, 64)
		if within[c.A.Change.K] < 0.95 || c.A.Change.K > 0 && within[c.A.Change.K-1] >= 0.95 {
			t.Errorf("%d features: k = %d is not the least for 95%%", n, c.A.Change.K)
		}
	}
}

func TestEmptyDocuments(t *testing.T) {
	for _, c := range []*Comparison{compared(t, "", "a", Options{K: 64, Words: 3}), compared(t, "", "", Options{K: 3, Words: 3})} {
		if c.Comparable() || c.Near() || c.TooShort(c.A) || !strings.HasPrefix(c.Answer(), "Not comparable: the fingerprint of a") {
			t.Errorf("%s %+v", c.Answer(), c)
		}
	}
}

func TestOptionsAreChecked(t *testing.T) {
	s, err := fphash.New()
	if err != nil {
		t.Fatal(err)
	}
	for want, o := range map[string]Options{
		"explain: expected a Sketcher":                                     {},
		"explain: k = 65: expected 0 to 64, the width of the fingerprints": {Sketcher: s, K: 65},
		"explain: -1 words: expected 0 or more":                            {Sketcher: s, Words: -1},
	} {
		if _, err := Compare(Document{}, Document{}, o); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

func TestShown(t *testing.T) {
	for feature, want := range map[string]string{
		"word": "word", "two words": "two words", "": `""`, " a": `" a"`, "a ": `"a "`, "a\tb": `"a\tb"`, "\xff": `"\xff"`,
		"東京都": "東京都", "a\u00a0b": `"a\u00a0b"`, "abcdefghijk": "abcdefghi…",
	} {
		if got := Shown([]byte(feature), 10); got != want {
			t.Errorf("%q: %s, want %s", feature, got, want)
		}
	}
}
