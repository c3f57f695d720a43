package dedup

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"simhashkit/datasets/text"
	"simhashkit/internal/similarity"
)

// features returns the set of features that fingerprints of texts are computed from.
func features(t *testing.T, a *text.Analyzer, s string) map[string]bool {
	t.Helper()
	set := map[string]bool{}
	for _, feature := range a.Append(nil, []byte(s)) {
		if set[string(feature)] {
			t.Fatalf("%q: the feature %q occurs twice", s, feature)
		}
		set[string(feature)] = true
	}
	return set
}

// If two texts have the similarity s, their features have a Jaccard similarity of at least s/(2-s),
// whatever the texts.
func TestSimilarTextsShareFeatures(t *testing.T) {
	a, err := text.New(text.Options{Fold: true, Plain: true, Numbered: true})
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	vocabularies := []string{"a b c", "0 1 2 3 4 5 6 7 8 9", "the of and to in is was x1 x2 x3 x4 x5 x6", "日 本 語 の は を に ABC x", "в и не на я"}
	hasher := similarity.NewWordHasher(false)
	var c similarity.Comparer
	high := 0
	for range 20_000 {
		words := strings.Fields(vocabularies[random.IntN(len(vocabularies))])
		one := make([]string, 1+random.IntN(50))
		for i := range one {
			one[i] = words[random.IntN(len(words))]
		}
		other := slices.Clone(one)
		for range random.IntN(1 + len(one)/4) {
			switch i := random.IntN(len(other)); random.IntN(3) {
			case 0:
				other[i] = words[random.IntN(len(words))]
			case 1:
				other = slices.Insert(other, i, words[random.IntN(len(words))])
			case 2:
				if len(other) > 1 {
					other = slices.Delete(other, i, i+1)
				}
			}
		}
		left, right := strings.Join(one, " "), strings.Join(other, " ")
		s, _, err := c.AtLeast(t.Context(), hasher.Append(nil, []byte(left)), hasher.Append(nil, []byte(right)), 0)
		if err != nil {
			t.Fatal(err)
		}
		setA, setB, both := features(t, a, left), features(t, a, right), 0
		for feature := range setA {
			if setB[feature] {
				both++
			}
		}
		if jaccard := float64(both) / float64(len(setA)+len(setB)-both); jaccard < s/(2-s)-1e-12 {
			t.Fatalf("%q and %q: similarity %v, Jaccard similarity of the features %v", left, right, s, jaccard)
		}
		if s >= 0.9 {
			high++
		}
	}
	if high < 1000 {
		t.Errorf("%d pairs of similarity 0.9", high)
	}
}

// The stated recall holds for texts that repeat words, at every threshold.
func TestRepeatedWordsAreFound(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	word := func() string { return fmt.Sprintf("w%d", random.IntN(50_000)) }
	kinds := map[string]func() []string{"grid": func() []string {
		list := make([]string, 100)
		for i := range list {
			list[i] = fmt.Sprint(max(0, random.IntN(30)-20))
		}
		return list
	}}
	for _, cycle := range []int{1, 3, 20, 100} {
		kinds[fmt.Sprintf("cycle of %d", cycle)] = func() []string {
			list := make([]string, 100)
			for i := range list {
				list[i] = word()
				if i >= cycle {
					list[i] = list[i-cycle]
				}
			}
			return list
		}
	}
	for name, kind := range kinds {
		for _, s := range []float64{0.7, 0.8, 0.9, 0.95, 0.98} {
			const pairs = 200
			var texts []string
			for i := range pairs {
				words := kind()
				words[0] = fmt.Sprintf("text%d", i) // so that most pairs differ
				texts = append(texts, strings.Join(words, " "))
				for _, at := range random.Perm(len(words))[:int(100*(1-s)+0.5)] {
					words[at] = word()
				}
				texts = append(texts, strings.Join(words, " "))
			}
			spec := Spec{Measure: Words, Similarity: s, Recall: usualRecall}
			r, err := Find(t.Context(), sketched(t, texts, bitsOf(spec)), Options{Spec: spec, Texts: rereadTexts(texts), Folder: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			r.Close()
			dropped := 0
			for i := range pairs {
				if r.IsDropped(2*i) || r.IsDropped(2*i+1) {
					dropped++
				}
			}
			if dropped < pairs*99/100 {
				t.Errorf("%s: similarity %v: %d of %d pairs found, %v expected", name, s, dropped, pairs, r.Recall)
			}
		}
	}
}

// examined returns how many pairs of texts are examined to deduplicate them.
func examined(t *testing.T, texts []string) int {
	t.Helper()
	spec := Spec{Measure: Words, Similarity: 0.9, Recall: usualRecall}
	r, err := Find(t.Context(), sketched(t, texts, bitsOf(spec)), Options{Spec: spec, Texts: rereadTexts(texts), Folder: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	return int(r.verifier.examined.Load())
}

// Twice as many texts of a kind have at most about twice as many candidates.
func TestComparisonsGrowSlowly(t *testing.T) {
	kinds := map[string]func(random *rand.Rand) func() string{
		"near-copies": func(random *rand.Rand) func() string {
			template := make([]string, 60)
			for i := range template {
				template[i] = fmt.Sprintf("w%d", i)
			}
			return func() string {
				words := slices.Clone(template)
				for _, at := range random.Perm(len(words))[:1+random.IntN(5)] {
					words[at] = fmt.Sprintf("x%d", random.IntN(4000))
				}
				return strings.Join(words, " ")
			}
		},
		"equal texts": func(*rand.Rand) func() string {
			return func() string { return "one text that occurs again and again" }
		},
		"log lines": func(random *rand.Rand) func() string {
			return func() string {
				return fmt.Sprintf("the user u%d has logged in from host h%d", random.IntN(1<<30), random.IntN(1<<20))
			}
		},
		"characters": func(random *rand.Rand) func() string { // frequent ones, as in Japanese
			return func() string {
				var s strings.Builder
				for range 60 + random.IntN(100) {
					s.WriteRune(rune(0x4e00 + int(400*random.Float64()*random.Float64()*random.Float64()*random.Float64())))
				}
				return s.String()
			}
		},
	}
	for name, kind := range kinds {
		next := kind(rand.New(rand.NewPCG(5, 6)))
		texts := make([]string, 8000)
		for i := range texts {
			texts[i] = next()
		}
		half, all := examined(t, texts[:len(texts)/2]), examined(t, texts)
		t.Logf("%s: %d candidates of %d texts, %d of %d", name, half, len(texts)/2, all, len(texts))
		if all > 3*half+len(texts) || all > (manyExamined+10)*len(texts) {
			t.Errorf("%s: %d candidates of %d texts, %d of %d", name, half, len(texts)/2, all, len(texts))
		}
	}
}
