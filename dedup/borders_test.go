package dedup

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"simhashkit/datasets"
)

// A duplicate of the first new record is no duplicate of an old one.
func TestDroppedForOldAtTheBorder(t *testing.T) {
	records := &Records{Name: "test"}
	records.Set.Bits = 64
	for _, fingerprint := range []uint64{1, 1 << 40, 1<<40 | 2, 1 << 20} {
		records.Add(nil, []uint64{fingerprint}, true)
	}
	for old, want := range map[int]int{1: 0, 2: 1} {
		r, err := Find(t.Context(), records, Options{Spec: Spec{K: 1}, Old: old})
		if err != nil {
			t.Fatal(err)
		}
		if r.DroppedForOld() != want || r.Dropped() != 1 {
			t.Errorf("%d old records: %d dropped, %d of them for an old one, want 1 and %d", old, r.Dropped(), r.DroppedForOld(), want)
		}
	}
}

// Rounding does not separate vectors of one direction, and a cosine of less than 1 stays less.
func TestEqualDirections(t *testing.T) {
	direction := []float64{0.1, 0.7, 1.3, 2.9, 0.3}
	rows := []datasets.Row[float64]{}
	for _, factor := range []float64{1, 3, 1.0 / 3, 7, 0.1} {
		row := datasets.Row[float64]{Indices: []uint64{1, 2, 3, 4, 5}}
		for _, w := range direction {
			row.Weights = append(row.Weights, factor*w)
		}
		rows = append(rows, row)
	}
	other := slices.Clone(direction)
	other[0] += 1e-4
	rows = append(rows, datasets.Row[float64]{Indices: []uint64{1, 2, 3, 4, 5}, Weights: other})
	vectors := func(_ context.Context, records []uint64, take func(uint64, *datasets.Row[float64]) error) error {
		for _, record := range records {
			if err := take(record, &rows[record]); err != nil {
				return err
			}
		}
		return nil
	}
	v := newVerifier(Spec{Measure: Cosine, Similarity: 1}, t.TempDir())
	defer v.close()
	if err := v.load(t.Context(), []uint64{0, 1, 2, 3, 4, 5}, &Options{Vectors: vectors}); err != nil {
		t.Fatal(err)
	}
	exact := 0
	for a := range uint64(5) {
		for b := range a {
			of, similar, err := v.compare(a, b)
			if of != 1 || !similar || err != nil {
				t.Errorf("%d and %d: cosine %v, %v, %v", a, b, of, similar, err)
			}
			if datasets.Cosine(rows[a].Indices, rows[a].Weights, rows[b].Indices, rows[b].Weights) == 1 {
				exact++
			}
		}
	}
	if exact == 10 {
		t.Error("no cosine needed rounding")
	}
	if of, similar, err := v.compare(0, 5); similar || of >= 1 || err != nil {
		t.Errorf("another direction: cosine %v, %v, %v", of, similar, err)
	}
}

// A lower similarity takes wider fingerprints, up to 1024 bits.
func TestWidths(t *testing.T) {
	for _, c := range []struct {
		similarity, recall float64
		bits               int
	}{{0.9, 0.99, 128}, {0.7, 0.99, 256}, {0.6, 0.99, 512}, {0.5, 0.99, 1024}, {0.5, 0.999999, 1024}} {
		spec := Spec{Measure: Words, Similarity: c.similarity, Recall: c.recall}
		if got := bitsOf(spec); got != c.bits {
			t.Errorf("similarity %v, recall %v: %d bits, want %d", c.similarity, c.recall, got, c.bits)
		}
	}
}

// With verified records, Examples are spread over the similarities in hundredths.
func TestExamplesOfSimilarities(t *testing.T) {
	r := found(t, 64-1, nil, make([]uint64, 8)...)
	r.groups.similarity = []float32{0, 0.99, 0.985, 0.984, 0.982, 0.91, 0.905, 0.95}
	for n, want := range map[int][]float64{1: {0.905}, 2: {0.99, 0.905}, 3: {0.99, 0.95, 0.905}, 7: {0.99, 0.985, 0.984, 0.982, 0.95, 0.91, 0.905}} {
		var got []float64
		for _, e := range r.Examples(n, false) {
			got = append(got, math.Round(1000*e.Similarity)/1000)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d examples: similarities %v, want %v", n, got, want)
		}
	}
}

// A record is compared with the kept ones of its group, the nearest first. If few are kept, or if
// their rare words are indexed, those beyond k bits are among them.
func TestSelectionWithinK(t *testing.T) {
	spec := Spec{Measure: Words, Similarity: 0.9, Recall: usualRecall}
	_, k := spec.Candidates()
	words := func(i int) string {
		list := make([]string, 10)
		for w := range list {
			list[w] = fmt.Sprintf("w%d", 100*i+w)
		}
		return strings.Join(list, " ")
	}
	for _, kept := range []int{40, 3 * fewKept} {
		texts, records := []string{}, &Records{Name: "test"}
		records.Set.Bits = 128
		add := func(text string, ones int) {
			texts = append(texts, text)
			records.Add(nil, []uint64{1<<ones - 1, 0}, true)
		}
		for i := range kept {
			add(words(i), 0)
		}
		add(words(7)[:len(words(7))-len("w709")]+"other", k)   // similar to text 7, k bits from all
		add(words(3), 1)                                       // equal to text 3
		add(words(9)[:len(words(9))-len("w909")]+"other", k+5) // similar to text 9
		r, err := Find(t.Context(), records, Options{Spec: spec, Texts: rereadTexts(texts), Folder: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if got, want := []int{r.Canonical(kept), r.Canonical(kept + 1), r.Canonical(kept + 2)}, []int{7, 3, 9}; !slices.Equal(got, want) {
			t.Errorf("%d kept: the last three records have the canonical records %d, want %d", kept, got, want)
		}
	}
}
