package similarity

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// templates returns texts that share most words with an earlier text, in groups.
func templates(random *rand.Rand, n int) [][]uint64 {
	var texts [][]uint64
	for i := range n {
		if i == 0 || random.IntN(4) == 0 {
			words := make([]uint64, 1+random.IntN(40))
			for w := range words {
				words[w] = mix(uint64(random.IntN(30))) // words repeat
			}
			texts = append(texts, words)
			continue
		}
		words := slices.Clone(texts[random.IntN(i)])
		for range 1 + len(words)/12 {
			words[random.IntN(len(words))] = mix(uint64(random.IntN(300)))
		}
		if random.IntN(3) == 0 {
			words = words[:len(words)-random.IntN(len(words))/10]
		}
		texts = append(texts, words)
	}
	return texts
}

// Similar texts share a word of their prefixes, and their summaries do not rule them out.
func TestPrefixesMissNoSimilarText(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	similarPairs, found, all := 0, 0, 0
	for round := range 40 {
		s := []float64{0.5, 0.8, 0.9, 0.95, 1}[round%5]
		texts := templates(random, 100)
		p := NewPrefixes(s)
		for _, words := range texts {
			p.Count(words)
		}
		var c Comparer
		for i, words := range texts {
			got, ok := p.Append(nil, p.Of(words), 1<<20)
			if !ok || slices.ContainsFunc(got, func(j int) bool { return j >= i }) {
				t.Fatalf("text %d: %v, %v", i, got, ok)
			}
			found, all = found+len(got), all+i
			if slices.Sort(got); len(slices.Compact(slices.Clone(got))) != len(got) {
				t.Fatalf("text %d: %v has repeats", i, got)
			}
			for j := range i {
				_, similar, err := c.AtLeast(t.Context(), words, texts[j], s)
				if err != nil {
					t.Fatal(err)
				}
				if !similar {
					continue
				}
				similarPairs++
				if _, ok := slices.BinarySearch(got, j); !ok {
					t.Fatalf("s = %v: %v and %v share no word of their prefixes", s, words, texts[j])
				}
				if !mayBeSimilar(s, words, texts[j]) {
					t.Fatalf("s = %v: the bitmaps of %v and %v rule them out", s, words, texts[j])
				}
			}
			p.Add(i, p.Of(words))
		}
	}
	if similarPairs < 1000 || found > all/2 {
		t.Errorf("%d similar pairs; %d of %d pairs share a word", similarPairs, found, all)
	}
}

// Append gives up after the given number of postings.
func TestPrefixesOfFrequentWords(t *testing.T) {
	p := NewPrefixes(0.9)
	words := []uint64{1, 2, 3}
	for range 100 {
		p.Count(words)
	}
	for i := range 100 {
		p.Add(i, p.Of(words))
	}
	if got, ok := p.Append(nil, p.Of(words), 100); !ok || len(got) != 100 {
		t.Errorf("%d texts, %v, want all 100", len(got), ok)
	}
	if got, ok := p.Append(nil, p.Of(words), 99); ok {
		t.Errorf("%d texts and no sign that some are missing", len(got))
	}
}

func mayBeSimilar(s float64, a, b []uint64) bool {
	bitmapA, bitmapB := BitmapOf(a), BitmapOf(b)
	return MayBeSimilar(s, len(a), len(b), &bitmapA, &bitmapB)
}

// Bitmaps and lengths rule out most pairs that are not similar, also of longer texts.
func TestBitmapsRuleOut(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{20, 400, 800} {
		ruledOut := 0
		for range 1000 {
			a, b := make([]uint64, n), make([]uint64, n)
			for i := range a {
				a[i], b[i] = random.Uint64(), random.Uint64()
			}
			copy(b, a[:3*n/4])
			if !mayBeSimilar(0.9, a, b) {
				ruledOut++
			}
			if mayBeSimilar(0.9, a, a[:17*n/20]) {
				t.Fatal("17 of 20 words may be similar")
			}
		}
		if ruledOut < 900 {
			t.Errorf("%d of 1000 pairs of %d words ruled out", ruledOut, n)
		}
	}
}
