package dedup

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"simhashkit/fphash"
	"simhashkit/fphash/index"
	"simhashkit/fphash/index/join"
)

// The thresholds are larger than those that find 99% of the pairs, since the search within K may
// lose half of the missing 1%.
func TestCandidates(t *testing.T) {
	for _, c := range []struct {
		measure    Measure
		similarity float64
		sketch     fphash.Kind
		bits, k    int
	}{
		{Words, 0.7, fphash.MinHash, 256, 77},
		{Words, 0.8, fphash.MinHash, 256, 59},
		{Words, 0.9, fphash.MinHash, 128, 21},
		{Words, 0.95, fphash.MinHash, 128, 13},
		{Words, 1, fphash.MinHash, 128, 0},
		{Jaccard, 0.7, fphash.MinHash, 128, 30},
		{Jaccard, 0.8, fphash.MinHash, 128, 22},
		{Jaccard, 0.9, fphash.MinHash, 128, 13},
		{Cosine, 0.8, fphash.SimHash, 256, 70},
		{Cosine, 0.9, fphash.SimHash, 128, 29},
		{Cosine, 0.95, fphash.SimHash, 128, 22},
		{Cosine, 1, fphash.SimHash, 128, 0},
	} {
		spec := Spec{Measure: c.measure, Similarity: c.similarity, Recall: usualRecall}
		if d, k := spec.Candidates(); d.Kind != c.sketch || d.Bits != c.bits || k != c.k {
			t.Errorf("%s %v: %v of %d bits, k = %d, expected %v of %d, %d", c.measure, c.similarity, d.Kind, d.Bits, k, c.sketch, c.bits, c.k)
		}
		for _, recall := range []float64{0.5, 0.9, 0.99, 0.999} {
			spec.Recall = recall
			d, k := spec.Candidates()
			set := &index.Set{Bits: d.Bits}
			random := rand.New(rand.NewPCG(1, 2))
			for range 3000 * set.Stride() {
				set.Words = append(set.Words, random.Uint64())
			}
			j := join.Join{Set: set, K: k, Differ: spec.differ()}
			if spec.differ() > 0 {
				j.Recall = recall
			}
			if plan, err := j.Plan(); err != nil || plan.Recall() < recall {
				t.Errorf("%+v: the plan has a recall of %v, %v, expected at least %v", spec, plan.Recall(), err, recall)
			}
			if l, err := spec.limit(d.Kind, d.Bits); err != nil || l != (limit{k, true, spec.differ()}) {
				t.Errorf("%+v: %+v, %v, expected k = %d", spec, l, err, k)
			}
		}
	}
}

// A search finds nearly all planted pairs of exactly the required similarity.
func TestRecallOfPlantedPairs(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	for _, similarity := range []float64{0.8, 0.9, 0.95} {
		const pairs = 1500
		var texts []string
		for range pairs {
			words := make([]string, 40+20*random.IntN(8))
			for w := range words {
				if words[w] = fmt.Sprintf("w%d", random.IntN(50_000)); random.IntN(3) == 0 { // frequent words repeat
					words[w] = fmt.Sprintf("f%d", random.IntN(50))
				}
			}
			texts = append(texts, strings.Join(words, " "))
			changed := len(words) - int(similarity*float64(len(words))+0.999999)
			for i, at := range random.Perm(len(words))[:changed] {
				words[at] = fmt.Sprintf("new%d", i)
			}
			texts = append(texts, strings.Join(words, " "))
		}
		spec := Spec{Measure: Words, Similarity: similarity, Recall: usualRecall}
		bits := bitsOf(spec)
		r, err := Find(t.Context(), sketched(t, texts, bits), Options{Spec: spec, Texts: rereadTexts(texts), Folder: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		recall := float64(r.Dropped()) / pairs
		t.Logf("similarity %v, %d bits: %.4f of the pairs found, %.4f expected", similarity, bits, recall, r.Recall)
		if recall < 0.98 || r.Recall < usualRecall {
			t.Errorf("similarity %v, %d bits: %.4f of the pairs found, %.4f expected", similarity, bits, recall, r.Recall)
		}
	}
}

// The default is 3 for 64 bits, or 10 for MinHash, and proportional for other widths.
func TestDefaultK(t *testing.T) {
	for sketch, of := range map[fphash.Kind]map[int]int{
		fphash.SimHash: {64: 3, 128: 6, 256: 12, 32: 1, 16: 0, 1: 0, 4096: 192},
		fphash.MinHash: {64: 10, 128: 21, 256: 42, 32: 5, 1: 0},
	} {
		for bits, want := range of {
			if got := DefaultK(sketch, bits); got != want {
				t.Errorf("%v, %d bits: k = %d, want %d", sketch, bits, got, want)
			}
		}
	}
}
