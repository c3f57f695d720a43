package text_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"simhashkit/datasets/text"
	"simhashkit/internal/testing/long"
)

// batched are pieces of texts for testing batches: characters that features can begin or end with
// or extend across.
var batched = []string{
	"word", "naïve", " ", "  ", "\n", "a.b", "3.14", "don't", "漢", "カー", "ไทย", "\xff", "e\u0301", "\u200d", "_", "Straße", "ﬁ", "the", "runners", ",",
	" the dogs were barking at the runners, all of them and all the time, as dogs do",
}

// checkBatches compares batches with the results of Append and AppendIndices for the whole text.
func checkBatches(t *testing.T, analyzer *text.Analyzer, s []byte) (batches int) {
	t.Helper()
	var want, got []string
	for _, feature := range analyzer.Append(nil, s) {
		want = append(want, string(feature))
	}
	for features := range analyzer.Batches(s) {
		batches++
		for _, feature := range features {
			got = append(got, string(feature))
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("%v of %.100q: %d features in batches, expected those %d of the whole text", analyzer.Options(), s, len(got), len(want))
	}
	var indices []uint64
	for some := range analyzer.IndexBatches(s) {
		indices = append(indices, some...)
	}
	if !slices.Equal(indices, analyzer.AppendIndices(nil, s)) {
		t.Fatalf("%v of %.100q: other indices in batches", analyzer.Options(), s)
	}
	return batches
}

// Batches give the features of a long text, wherever the batches end.
func TestBatches(t *testing.T) {
	rounds := 1
	if long.Enabled() {
		rounds = 4
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, definition := range append(fuzzedDefinitions, "words", "words,n=3", "words,n=50,fold", "characters,n=40", "bytes,n=8", "bytes,n=1000") {
		analyzer := newAnalyzer(t, definition)
		for range rounds {
			var s []byte
			for len(s) < 70_000+r.IntN(10) {
				s = append(s, batched[r.IntN(len(batched))]...)
			}
			if n := checkBatches(t, analyzer, s); n < 3 {
				t.Errorf("%s: %d batches of %d bytes", definition, n, len(s))
			}
			for range analyzer.Batches(s) {
				break // must not affect the next text
			}
		}
		for _, few := range []string{"", " ", "a", "a b", "the time of the cats"} {
			checkBatches(t, analyzer, []byte(few))
		}
	}
}

// Batches allocate memory for one batch, however long the text is.
func TestBatchesAllocate(t *testing.T) {
	long := bytes.Repeat([]byte("It was the best of times, été "), 10_000)
	for _, definition := range []string{"words", "words,n=3", "words,lang=en,fold,stop,stem", "characters", "bytes", "bytes,n=20"} {
		analyzer := newAnalyzer(t, definition)
		most := 0
		for features := range analyzer.Batches(long) {
			most = max(most, cap(features))
		}
		if most > 40_000 {
			t.Errorf("%s: room for %d features at once", definition, most)
		}
		all := func() {
			for range analyzer.Batches(long) {
			}
			for range analyzer.IndexBatches(long) {
			}
		}
		if allocations := testing.AllocsPerRun(3, all); allocations > 10 {
			t.Errorf("%s: %v allocations for a text of %d bytes", definition, allocations, len(long))
		}
	}
}
