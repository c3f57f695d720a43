package dedup

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// The longest summary fits a terminal of 24 lines of 80 columns, with the prompt below it.
func TestSummaryFitsAScreen(t *testing.T) {
	records := &Records{Name: strings.Repeat("a long folder/", 9) + "and a name.svm.gz"}
	records.Set.Bits = 64
	for i := range 300 {
		id := fmt.Sprintf("%s/%d", strings.Repeat("folder with\ttabs/", 6), i)
		fingerprint := uint64(i%30+1)*0x9e3779b97f4a7c15&^0xffff | 1<<(i/30) - 1 // chains of ten
		records.Add([]byte(id), []uint64{fingerprint}, i%100 != 99)
	}
	texts := make([]string, 300)
	for i := range texts {
		texts[i] = fmt.Sprintf("one text of ten words in all, the number is %d", i%30)
	}
	for _, c := range []struct {
		options Options
		parts   []string
	}{
		{Options{Spec: Spec{K: 1}}, []string{"297 are near-duplicates, in 32 groups.", "Look before you drop: 30 groups are chains", "9 bits", "k = 1 of 64 bits (why)", "21% at 0.99", "Nothing was verified"}},
		{Options{Spec: Spec{K: 1, First: true}, Old: 100}, []string{"are near-duplicates of one in old", "of another new one"}},
		{Options{Spec: Spec{Measure: Words, Similarity: 0.9, Recall: 0.99}, Texts: rereadTexts(texts), Folder: t.TempDir()}, []string{"at least 90% of their words, in the same order", "similarity", "1.00", "The search finds at least 9"}},
		{Options{Spec: Spec{K: 0}, Old: 300}, []string{"no near-duplicates of each other, or of the 300 documents of old"}},
	} {
		c.options.Kind, c.options.OldName, c.options.WhyK = "document", "old", "why"
		r, err := Find(t.Context(), records, c.options)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := r.Summary(&out); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		if len(lines) > 23 {
			t.Errorf("%d lines", len(lines))
		}
		for _, line := range lines {
			if utf8.RuneCountInString(line) > 80 {
				t.Errorf("%d columns: %s", utf8.RuneCountInString(line), line)
			}
		}
		text := strings.Join(strings.Fields(out.String()), " ")
		for _, part := range append(c.parts, "near-duplicates", "no fingerprint (empty, or all sums zero)") {
			if !strings.Contains(text, part) {
				t.Errorf("%q is missing", part)
			}
		}
		if t.Failed() {
			t.Log("\n" + out.String())
		}
	}
}

// The summary names the measure, and reports the sample.
func TestSummaryOfSimilarity(t *testing.T) {
	r := found(t, 1, nil, 0, 1)
	r.Kind, r.Similarity, r.Recall = "text", 0.9, 0.9951
	r.groups.similarity = []float32{0, 0.9375}
	recall := map[Measure]string{
		Words:   "The search finds at least 99.5% of all such pairs, whatever the texts.",
		Jaccard: "The search finds at least 99.5% of all such pairs, whatever the texts.",
		Cosine:  "The search finds 99.5% of the pairs of cosine 0.9, and more of those above it, but fewer if the vectors have few weights, or a few dominate.",
	}
	for measure, want := range map[Measure]string{
		Words:   "Each dropped text and the one kept for it share at least 90% of their words, in the same order.",
		Jaccard: "Each dropped text and the one kept for it share at least 90% of their distinct words.",
		Cosine:  "Each dropped text and the one kept for it have a cosine of at least 0.9.",
	} {
		r.Measure, r.sample = measure, &sample{drawn: 50, pairs: 12, found: 11}
		var out strings.Builder
		if err := r.Summary(&out); err != nil {
			t.Fatal(err)
		}
		text := strings.Join(strings.Fields(out.String()), " ")
		for _, want := range []string{want, recall[measure], "Of 12 similar pairs with one of 50 texts drawn at random, it found 11.", "0.93"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is missing:\n%s", measure, want, text)
			}
		}
	}
}

// The summary never rounds the recall up to 100%.
func TestRecallIsRoundedDown(t *testing.T) {
	r := found(t, 1, nil, 0, 1)
	r.Similarity, r.Recall, r.Measure = 0.9, 0.99999, Words
	if got := r.found(); !strings.Contains(got, "at least 99.9% of") {
		t.Errorf("%q, expected at least 99.9%%", got)
	}
}

// Components may join unrelated records in groups wider than 2k bits. The summary warns of them.
func TestSummaryWarnsOfChains(t *testing.T) {
	chain := []uint64{0, 1, 3, 7, 0xf, 0xff << 40}
	for first, want := range map[bool]bool{false: true, true: false} {
		r := found(t, 1, nil, chain...)
		r.limit.first = first
		var out strings.Builder
		if err := r.Summary(&out); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(out.String(), "Look before you drop: 1 group is a chain") != want {
			t.Errorf("first %v:\n%s", first, &out)
		}
	}
}

// Examples are spread over the distances to the kept records, and include the least and the
// largest.
func TestExamples(t *testing.T) {
	records := &Records{Name: "x"}
	records.Set.Bits = 64
	add := func(f uint64) { records.Add([]byte("r"), []uint64{f}, true) }
	add(0)
	for d, n := range map[int]int{0: 500, 1: 30, 2: 3, 3: 1} {
		for range n {
			add(1<<d - 1)
		}
	}
	for i := range 100 {
		add((uint64(i) + 7) * 0x9e3779b97f4a7c15) // unrelated
	}
	r, err := Find(t.Context(), records, Options{Spec: Spec{K: 3}})
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int][]int{0: nil, 1: {3}, 2: {0, 3}, 4: {0, 1, 2, 3}, 7: {0, 0, 1, 1, 2, 2, 3}, 10: {0, 0, 0, 1, 1, 1, 2, 2, 2, 3}} {
		var distances []int
		for _, e := range r.Examples(n, false) {
			distances = append(distances, e.Distance)
			if got := records.Set.Distance(e.Dropped, &records.Set, e.Kept); got != e.Distance || e.Kept != 0 {
				t.Errorf("%+v: distance %d", e, got)
			}
		}
		if !slices.Equal(distances, want) {
			t.Errorf("%d examples: distances %v, want %v", n, distances, want)
		}
	}
	all := r.Examples(10_000, false)
	seen := map[int]bool{}
	for _, e := range all {
		seen[e.Dropped] = true
	}
	if len(seen) != r.Dropped() {
		t.Errorf("%d of %d dropped records", len(seen), r.Dropped())
	}
	if !slices.Equal(r.Examples(7, false), r.Examples(7, false)) {
		t.Error("a second call returns other examples")
	}
}

// Similarities are rounded down to two digits, but not below the exact value of a float32.
func TestRoundedDown(t *testing.T) {
	for similarity, want := range map[float32]string{0.9: "0.90", 0.95: "0.95", 0.96: "0.96", 0.8999: "0.89", 0.9999: "0.99", 1: "1.00"} {
		if got := roundedDown(float64(similarity)); got != want {
			t.Errorf("%v: %s, expected %s", similarity, got, want)
		}
	}
}
