package similarity

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// naturalWords returns random words with natural frequencies: the i-th most frequent word is about
// 1/i as frequent as the first.
func naturalWords(r *rand.Rand, n int) []uint64 {
	zipf := rand.NewZipf(r, 1.07, 2.7, 200_000)
	words := make([]uint64, n)
	for i := range words {
		words[i] = zipf.Uint64()
	}
	return words
}

// replaced returns a copy of words in which the given share is replaced by other natural words.
func replaced(r *rand.Rand, words []uint64, share float64) []uint64 {
	others := naturalWords(r, int(share*float64(len(words)))+1)
	words = slices.Clone(words)
	for i := range words {
		if r.Float64() < share && len(others) > 0 {
			words[i], others = others[0], others[1:]
		}
	}
	return words
}

func BenchmarkAtLeast(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, size := range []int{10, 100, 22_000, 1_700_000} {
		a := naturalWords(r, size)
		moved := slices.Concat(a[size/25:], naturalWords(r, size/25))
		shuffled := slices.Clone(a)
		r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		for _, test := range []struct {
			name  string
			other []uint64
		}{
			{"equal", slices.Clone(a)},
			{"similar", replaced(r, a, 0.05)},
			{"moved", replaced(r, moved, 0.03)},
			{"near", replaced(r, a, 0.12)},
			{"unrelated", naturalWords(r, size)},
			{"shuffled", shuffled},
		} {
			b.Run(fmt.Sprintf("words=%d/%s", size, test.name), func(b *testing.B) {
				var c Comparer
				similarity := 0.0
				for b.Loop() {
					var err error
					if similarity, _, err = c.AtLeast(b.Context(), a, test.other, 0.9); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(similarity, "S")
			})
		}
	}
}
