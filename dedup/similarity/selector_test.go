package similarity

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

var errFetch = errors.New("cannot read the text")

// selectAll returns the results of a Selector for the texts of a group, and how many texts it
// fetched.
func selectAll(t testing.TB, s float64, texts [][]uint64, count bool) (results []Result, fetched int) {
	var kept [][]uint64
	all := 0
	for _, text := range texts {
		all += len(text)
	}
	selector := NewSelector(s, all, func(dst []uint64, index int) ([]uint64, error) {
		fetched++
		return append(dst, kept[index]...), nil
	})
	for _, text := range texts {
		if count {
			selector.Count(text)
		}
	}
	for _, text := range texts {
		result, err := selector.Add(t.Context(), text)
		if err != nil {
			t.Fatal(err)
		}
		if results = append(results, result); !result.Dropped {
			kept = append(kept, text)
		}
	}
	return results, fetched
}

// checkGreedy checks the results by comparing each text with all kept texts.
func checkGreedy(t *testing.T, s float64, texts [][]uint64, results []Result) {
	t.Helper()
	var kept [][]uint64
	for i, text := range texts {
		similar := func(other []uint64) bool {
			return len(text) > 0 && similarityByTable(text, other) >= s
		}
		got := results[i]
		if want := slices.ContainsFunc(kept, similar); got.Dropped != want {
			t.Fatalf("at least %v, text %d, %v of %v: %+v, expected dropped: %v", s, i, text, texts, got, want)
		}
		if !got.Dropped {
			if want := (Result{Index: len(kept)}); got != want {
				t.Fatalf("text %d: %+v, expected %+v", i, got, want)
			}
			kept = append(kept, text)
			continue
		}
		if want := similarityByTable(text, kept[got.Index]); got.Similarity != want || want < s {
			t.Fatalf("at least %v, text %d: %+v, expected similarity %v", s, i, got, want)
		}
	}
}

// A Selector agrees with comparing all pairs, for repeated words, lengths at which thresholds are
// met exactly, keys of all sizes, and without counts.
func TestSelectorIsGreedy(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 600 {
		s := []float64{0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 0.95, 1, 0.5 + r.Float64()/2}[r.IntN(9)]
		kinds := []int{2, 5, 30, 1000}[r.IntN(4)]
		size := []int{3, 12, 25, 60}[r.IntN(4)]
		var texts [][]uint64
		for range r.IntN(120) {
			if len(texts) == 0 || r.IntN(3) == 0 {
				texts = append(texts, randomWords(r, r.IntN(size), kinds))
				continue
			}
			of := texts[r.IntN(len(texts))]
			texts = append(texts, edited(r, of, r.IntN(len(of)/4+2), kinds))
		}
		results, _ := selectAll(t, s, texts, round%3 > 0)
		checkGreedy(t, s, texts, results)
	}
}

// logLine returns a line of constant words with the given number of varying fields, each with the
// given number of values.
func logLine(r *rand.Rand, fields, values int) []uint64 {
	line := make([]uint64, 20)
	for i := range line {
		line[i] = mix(uint64(i))
		if i < fields {
			line[i] = mix(uint64(1000 + i*values + r.IntN(values)))
		}
	}
	return line
}

// Lines that share most words are distinguished by keys of several words, and few of them are
// fetched.
func TestSelectorOfTemplates(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, fields := range []int{1, 2, 3, 4, 8} {
		var texts [][]uint64
		for range 600 {
			texts = append(texts, logLine(r, fields, 30))
		}
		results, fetched := selectAll(t, 0.9, texts, true)
		checkGreedy(t, 0.9, texts, results)
		if fetched > 2*len(texts) {
			t.Errorf("%d fields: %d texts fetched", fields, fetched)
		}
	}
}

// chain returns n texts, each similar only to its neighbours.
func chain(n int) [][]uint64 {
	texts := make([][]uint64, n)
	for i := range texts {
		for word := range 10 {
			texts[i] = append(texts[i], mix(uint64(i+word)))
		}
	}
	return texts
}

func TestSelectorOfChain(t *testing.T) {
	texts := chain(500)
	results, fetched := selectAll(t, 0.9, texts, true)
	checkGreedy(t, 0.9, texts, results)
	if fetched > 2*len(texts) {
		t.Errorf("%d texts fetched", fetched)
	}
}

// Equal texts are not fetched again.
func TestSelectorOfCopies(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	texts := [][]uint64{nil, nil, {1}, {1}}
	for i := range 500 {
		if i < 10 {
			texts = append(texts, naturalWords(r, 50))
			continue
		}
		texts = append(texts, texts[4+i%10])
	}
	results, fetched := selectAll(t, 0.9, texts, true)
	checkGreedy(t, 0.9, texts, results)
	if fetched > 100 {
		t.Errorf("%d texts fetched", fetched)
	}
}

func TestSelectorErrors(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	for _, n := range []int{1, few} {
		selector := NewSelector(0.5, 0, func([]uint64, int) ([]uint64, error) { return nil, errFetch })
		for i := range n {
			if _, err := selector.Add(ctx, make([]uint64, 1<<(2*i))); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := selector.Add(ctx, []uint64{1}); !errors.Is(err, errFetch) {
			t.Error(n, err)
		}
	}
	cancel(errFetch)
	selector := NewSelector(0.5, 0, nil)
	if _, err := selector.Add(ctx, []uint64{1}); !errors.Is(err, errFetch) {
		t.Error(err)
	}
}

func TestCountAfterAddPanics(t *testing.T) {
	selector := NewSelector(0.5, 0, nil)
	if _, err := selector.Add(t.Context(), []uint64{1}); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if recover() == nil {
			t.Error("expected a panic")
		}
	}()
	selector.Count([]uint64{1})
}

func TestSelectorAllocatesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var kept [][]uint64
	selector := NewSelector(0.9, 1000, func(dst []uint64, index int) ([]uint64, error) { return append(dst, kept[index]...), nil })
	var texts [][]uint64
	for range 200 {
		texts = append(texts, randomWords(r, 50, 2000))
		selector.Count(texts[len(texts)-1])
	}
	for _, words := range texts {
		if result, err := selector.Add(t.Context(), words); err != nil {
			t.Fatal(err)
		} else if !result.Dropped {
			kept = append(kept, words)
		}
	}
	near := slices.Clone(kept[100])
	near[7]++
	if n := testing.AllocsPerRun(10, func() {
		if result, err := selector.Add(t.Context(), near); err != nil || !result.Dropped {
			t.Fatal(result, err)
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkSelector(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	million := func(next func(i int) []uint64) func() [][]uint64 {
		return func() (texts [][]uint64) {
			for i := range 1_000_000 {
				texts = append(texts, next(i))
			}
			return texts
		}
	}
	lines := func(fields, values int) func() [][]uint64 {
		return million(func(int) []uint64 { return logLine(r, fields, values) })
	}
	long := func(share float64) func() [][]uint64 {
		return func() (texts [][]uint64) {
			first := naturalWords(r, 22_000)
			for range 1000 {
				texts = append(texts, replaced(r, first, share))
			}
			return texts
		}
	}
	originals := make([][]uint64, 10)
	for i := range originals {
		originals[i] = naturalWords(r, 100)
	}
	for _, test := range []struct {
		name string
		make func() [][]uint64
	}{
		{"copies", million(func(i int) []uint64 { return originals[i%10] })},
		{"lines/fields=1", lines(1, 1_000_000)},
		{"lines/fields=4", lines(4, 1000)},
		{"lines/fields=8/values=100", lines(8, 100)},
		{"lines/fields=8/values=1000", lines(8, 1000)},
		{"chain", func() [][]uint64 { return chain(1_000_000) }},
		{"long/dropped", long(0.05)},
	} {
		b.Run(test.name, func(b *testing.B) {
			texts := test.make()
			for b.Loop() {
				results, fetched := selectOnce(b, texts)
				b.ReportMetric(float64(results), "kept")
				b.ReportMetric(float64(fetched), "fetched")
			}
		})
	}
}

func selectOnce(b *testing.B, texts [][]uint64) (keptTexts, fetched int) {
	var kept [][]uint64
	all := 0
	for _, text := range texts {
		all += len(text)
	}
	selector := NewSelector(0.9, all, func(dst []uint64, index int) ([]uint64, error) {
		fetched++
		return append(dst, kept[index]...), nil
	})
	for _, text := range texts {
		selector.Count(text)
	}
	for _, text := range texts {
		result, err := selector.Add(b.Context(), text)
		if err != nil {
			b.Fatal(err)
		}
		if !result.Dropped {
			kept = append(kept, text)
		}
	}
	return len(kept), fetched
}

func ExampleSelector() {
	hasher := NewWordHasher()
	texts := []string{"I would recommend this film.", "I would NOT recommend this film!", "i would recommend this film"}
	var kept []string
	selector := NewSelector(0.9, 20, func(dst []uint64, index int) ([]uint64, error) {
		return hasher.Append(dst, []byte(kept[index])), nil
	})
	for _, text := range texts {
		selector.Count(hasher.Append(nil, []byte(text)))
	}
	for _, text := range texts {
		result, err := selector.Add(context.Background(), hasher.Append(nil, []byte(text)))
		if err != nil {
			panic(err)
		}
		if result.Dropped {
			fmt.Printf("%q is similar to %q: %.2f\n", text, kept[result.Index], result.Similarity)
		} else {
			kept = append(kept, text)
		}
	}
	// Output:
	// "i would recommend this film" is similar to "I would recommend this film.": 1.00
}

// Keep keeps texts without comparing them, and later texts are dropped as their duplicates.
func TestKeep(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		var texts, kept [][]uint64
		for range 40 {
			texts = append(texts, randomWords(r, r.IntN(12), 6))
		}
		old := r.IntN(len(texts))
		s := NewSelector(0.7, 0, func(dst []uint64, index int) ([]uint64, error) { return append(dst, kept[index]...), nil })
		for _, text := range texts {
			s.Count(text)
		}
		for i, text := range texts {
			similar := len(text) > 0 && slices.ContainsFunc(kept, func(other []uint64) bool { return similarityByTable(text, other) >= 0.7 })
			add := s.Add
			if i < old {
				add = s.Keep
			}
			got, err := add(t.Context(), text)
			if err != nil || got.Dropped != (similar && i >= old) {
				t.Fatalf("text %d of %d old ones and %v: %+v, %v", i, old, texts, got, err)
			}
			if !got.Dropped {
				kept = append(kept, text)
			}
		}
	}
}
