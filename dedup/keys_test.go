package dedup

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"simhashkit/asm/hamming"
	"simhashkit/internal/testing/long"
	"simhashkit/textsketch"
)

// keySketcher returns a Sketcher of the candidates of a specification, with keys.
func keySketcher(t *testing.T, spec Spec, keys textsketch.Keys) *textsketch.Sketcher {
	t.Helper()
	s, err := spec.Sketcher(&keys)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestKeysOfSpec(t *testing.T) {
	for _, c := range []struct {
		similarity    float64
		minima        int
		made, count   int
		least, atMost float64
	}{
		{0.9, 0, 8, 24, 0.99, 0.995},
		{0.9, 12, 12, 57, 0.99, 0.995},
		{0.8, 0, 4, 25, 0.99, 0.995},
		{0.95, 0, 16, 24, 0.99, 0.9965},
		{1, 0, 32, 1, 1, 1},
	} {
		spec := Spec{Similarity: c.similarity, Recall: usualRecall}
		k, recall, err := spec.Keys(c.minima)
		if err != nil || k.Minima != c.made || k.Count != c.count || recall < c.least || recall > c.atMost {
			t.Errorf("similarity %v, %d minima: %+v, %v, %v", c.similarity, c.minima, k, recall, err)
		}
	}
	for _, c := range []struct {
		spec   Spec
		minima int
		want   string
	}{
		{Spec{Similarity: 0.9, Recall: 0.99}, 33, "keys of 33 minima, expected 1 to 32"},
		{Spec{Similarity: 0.9, Recall: 0.99}, 24, "would need"},
		{Spec{Similarity: 0.9, Recall: 0.99, Measure: Cosine}, 8, "require texts"},
	} {
		if _, _, err := c.spec.Keys(c.minima); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// pairOf returns two texts of n words with the similarity 0.9 and the least Jaccard similarity that
// it allows: every tenth word is another one. If cycle is not 0, the other words repeat so many.
func pairOf(r *rand.Rand, n, cycle int) (a, b string) {
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprintf("w%x", r.Uint64())
		if cycle > 0 && i >= cycle {
			words[i] = words[i%cycle]
		}
	}
	other := slices.Clone(words)
	for _, i := range r.Perm(n)[:n/10] {
		other[i] = fmt.Sprintf("x%x", r.Uint64())
	}
	return strings.Join(words, " "), strings.Join(other, " ")
}

// The share of the pairs with similarity 0.9 that share a key and are within K bits is the stated
// recall, although the lanes of a MinHash are not independent.
func TestKeysFindTheStatedShare(t *testing.T) {
	pairs := 3000
	if long.Enabled() {
		pairs = 30_000
	}
	for _, minima := range []int{0, 12} {
		spec := Spec{Similarity: 0.9, Recall: usualRecall}
		_, k := spec.Candidates()
		keys, recall, err := spec.Keys(minima)
		if err != nil {
			t.Fatal(err)
		}
		local := keySketcher(t, spec, keys).Local()
		for _, c := range []struct{ n, cycle int }{{10, 0}, {50, 0}, {200, 0}, {1000, 0}, {100, 1}, {100, 2}, {100, 10}, {1000, 3}, {1000, 20}} {
			r := rand.New(rand.NewPCG(uint64(c.n), uint64(c.cycle)))
			both, shared := 0, 0
			number := min(pairs, 10*pairs*10/c.n)
			for range number {
				a, b := pairOf(r, c.n, c.cycle)
				first, _, err := local.Append(nil, []byte(a))
				if err != nil {
					t.Fatal(err)
				}
				keysA := slices.Clone(local.Keys())
				second, _, err := local.Append(nil, []byte(b))
				if err != nil {
					t.Fatal(err)
				}
				found := false
				for i, key := range local.Keys() {
					found = found || key == keysA[i]
				}
				if found {
					shared++
					if hamming.Distance(first, second) <= k {
						both++
					}
				}
			}
			share := func(n int) float64 { return float64(n) / float64(number) }
			t.Logf("%d minima, %d words, cycle %d: %.4f share a key, %.4f are found, stated %.4f", keys.Minima, c.n, c.cycle, share(shared), share(both), recall)
			if share(both) < usualRecall-0.006 {
				t.Errorf("%d minima, %d words, cycle %d: found %.4f", keys.Minima, c.n, c.cycle, share(both))
			}
		}
	}
}
