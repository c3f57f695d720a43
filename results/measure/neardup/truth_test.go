package main

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"simhashkit/internal/similarity"
)

// randomTexts returns texts of up to size words, some of them edited copies.
func randomTexts(t *testing.T, number, size int) []text {
	r := rand.New(rand.NewPCG(1, uint64(size)))
	var contents []string
	for len(contents) < number {
		var words []string
		for range 1 + r.IntN(size) {
			words = append(words, string(rune('a'+r.IntN(20))))
		}
		contents = append(contents, strings.Join(words, " "))
		for range r.IntN(3) {
			words[r.IntN(len(words))] = "x"
			contents = append(contents, strings.Join(words, " "))
		}
	}
	return distinct(contents, number)
}

// The bounds lose no pair, and commonSubsequence agrees with package similarity, which is tested
// against the recurrence.
func TestTruthIsSimilarityOfAllPairs(t *testing.T) {
	var c similarity.Comparer
	for _, size := range []int{20, 60, 200} {
		texts := randomTexts(t, 150, size)
		for _, s := range []float64{0.8, 0.9, 0.95} {
			want := make([]bool, len(texts))
			for i := range texts {
				for j := range i {
					_, similar, err := c.AtLeast(t.Context(), texts[i].words, texts[j].words, s)
					if err != nil {
						t.Fatal(err)
					}
					want[i] = want[i] || similar && !want[j]
				}
			}
			if !slices.Contains(want, true) {
				t.Fatalf("no text of %d words is similar to another by %v", size, s)
			}
			got := make([]bool, len(texts))
			for i, of := range greedy(texts, s) {
				got[i] = of >= 0
			}
			if !slices.Equal(got, want) {
				t.Errorf("%d words, %v: greedy dropped %v, expected %v", size, s, got, want)
			}
		}
	}
}

// A text counts as rightly dropped only if it is similar to a kept text.
func TestRightAsksForAKeptText(t *testing.T) {
	texts := distinct([]string{
		"a b c d e f g h i j", "a b c d e f g h i x", "a b c d e f g h y x", "p q r s t", "A, b c d e f g h i j!",
	}, 10)
	if len(texts) != 4 {
		t.Fatalf("%d distinct texts, expected 4", len(texts))
	}
	for _, test := range []struct {
		dropped []bool
		want    int
	}{
		{[]bool{false, true, false, false}, 1},
		{[]bool{false, true, true, false}, 1}, // the third is similar only to the second
		{[]bool{false, false, true, true}, 1},
		{[]bool{true, true, true, true}, 0},
	} {
		if got := right(texts, test.dropped, 0.9); got != test.want {
			t.Errorf("%v: %d dropped rightly, expected %d", test.dropped, got, test.want)
		}
	}
}
