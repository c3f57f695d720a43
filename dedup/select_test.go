package dedup

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// groupsOf yields the texts of groups.
func groupsOf(texts []GroupText) iter.Seq2[GroupText, error] {
	return func(yield func(GroupText, error) bool) {
		for _, t := range texts {
			content := slices.Clone(t.Text)
			if t.Text = content; !yield(t, nil) {
				return
			}
			for i := range content { // it is valid only until the next one
				content[i] = '?'
			}
		}
	}
}

func selected(t *testing.T, spec Spec, texts []GroupText) (dropped []DroppedText) {
	t.Helper()
	for d, err := range Select(context.Background(), spec, t.TempDir(), groupsOf(texts)) {
		if err != nil {
			t.Fatal(err)
		}
		dropped = append(dropped, d)
	}
	return dropped
}

// Select drops what the definition says, group by group, also across the borders of batches.
func TestSelectIsGreedy(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, similarity := range []float64{0.6, 0.9} {
		var all []GroupText
		var want []DroppedText
		for group := 0; len(all) < 2*selectedTexts+100; group++ {
			texts := randomTexts(random, 1+random.IntN(8))
			old := random.IntN(len(texts) + 1)
			if group%3 > 0 {
				old = 0
			}
			order := make([]int, len(texts))
			for i := range order {
				order[i] = i
				all = append(all, GroupText{Group: fmt.Sprint(group), ID: fmt.Sprint(group, "-", i), Text: []byte(texts[i]), Old: i < old})
			}
			similar := func(a, b int) bool { return textSimilarity(Words, texts[a], texts[b]) >= similarity }
			for i, of := range greedy(order, old, func(i int) bool { return texts[i] != "" }, similar) {
				if of != i {
					want = append(want, DroppedText{ID: fmt.Sprint(group, "-", i)})
				}
			}
		}
		texts := map[string]string{}
		for _, a := range all {
			texts[a.ID] = string(a.Text)
		}
		got := selected(t, Spec{Similarity: similarity, Recall: usualRecall}, all)
		var ids []DroppedText
		for _, d := range got {
			ids = append(ids, DroppedText{ID: d.ID})
			if of := textSimilarity(Words, texts[d.ID], texts[d.Kept]); float32(of) != d.Similarity || of < similarity {
				t.Errorf("%q is dropped for %q: %v, want the similarity %v", texts[d.ID], texts[d.Kept], d.Similarity, of)
			}
			if slices.ContainsFunc(got, func(other DroppedText) bool { return other.ID == d.Kept }) {
				t.Errorf("%s is dropped for %s, which is dropped", d.ID, d.Kept)
			}
		}
		if len(want) < 1000 {
			t.Fatalf("only %d dropped texts", len(want))
		}
		if diff := cmp.Diff(want, ids); diff != "" {
			t.Errorf("similarity %v: %.2000s", similarity, diff)
		}
	}
}

// The groups of Find give the same result as Find, also a large one.
func TestSelectEqualsFind(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	var texts []string
	for i := range 3000 {
		words := strings.Fields(strings.Repeat("the words of a template that all lines of this log share ", 2))
		if i%2 == 0 {
			words = words[:0]
			for range 12 {
				words = append(words, fmt.Sprint("w", random.IntN(60)))
			}
		}
		words[random.IntN(len(words))] = fmt.Sprint("x", random.IntN(200))
		words[random.IntN(len(words))] = fmt.Sprint("y", random.IntN(200))
		texts = append(texts, strings.Join(words, " "))
	}
	spec := Spec{Similarity: 0.9, Recall: usualRecall}
	r, err := Find(context.Background(), sketched(t, texts, 128), Options{Spec: spec, Texts: rereadTexts(texts)})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	groups, err := r.join().Groups(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var all []GroupText
	var want []DroppedText
	for group, members := range groups.All() {
		for _, m := range members {
			all = append(all, GroupText{Group: fmt.Sprint(group), ID: fmt.Sprint(m), Text: []byte(texts[m])})
			if r.IsDropped(int(m)) {
				similarity := r.SimilarityAt(int(m))
				want = append(want, DroppedText{fmt.Sprint(m), fmt.Sprint(r.Canonical(int(m))), similarity})
			}
		}
	}
	if len(want) < 500 {
		t.Fatalf("only %d dropped texts", len(want))
	}
	if diff := cmp.Diff(want, selected(t, spec, all)); diff != "" {
		t.Errorf("%.2000s", diff)
	}
}

func TestSelectRefuses(t *testing.T) {
	spec := Spec{Similarity: 0.9, Recall: usualRecall}
	broken := func(yield func(GroupText, error) bool) { yield(GroupText{}, errors.New("broken")) }
	for _, c := range []struct {
		spec  Spec
		texts iter.Seq2[GroupText, error]
		want  string
	}{
		{spec, groupsOf([]GroupText{{Group: "g", ID: "a", Text: []byte("one")}, {Group: "g", ID: "b", Text: []byte("one"), Old: true}}), `group "g": the old text "b" comes after a new one`},
		{spec, broken, "broken"},
		{Spec{Similarity: 0.9, Recall: usualRecall, Measure: Cosine}, groupsOf(nil), "expected a similarity of texts"},
		{Spec{Similarity: 0.3, Recall: usualRecall}, groupsOf([]GroupText{{Group: "g", Text: []byte("one")}, {Group: "g", Text: []byte("one")}}), "similarity 0.3"},
	} {
		var err error
		for _, err = range Select(context.Background(), c.spec, t.TempDir(), c.texts) {
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("want %s, got %v", c.want, err)
		}
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("interrupted"))
	var err error
	for _, err = range Select(ctx, spec, t.TempDir(), groupsOf([]GroupText{{Group: "g", Text: []byte("one")}, {Group: "g", Text: []byte("one")}})) {
	}
	if err == nil {
		t.Error("no error although the context is done")
	}
}
