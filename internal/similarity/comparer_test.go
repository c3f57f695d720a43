package similarity

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Similarity returns the similarity S of two texts.
func (c *Comparer) Similarity(ctx context.Context, a, b []uint64) (float64, error) {
	similarity, _, err := c.AtLeast(ctx, a, b, 0)
	return similarity, err
}

// lengthByTable computes the length by the classic recurrence.
func lengthByTable(a, b []uint64) int {
	above := make([]int, len(b)+1)
	for _, x := range a {
		diagonal := 0
		for j, y := range b {
			next := above[j+1]
			if above[j+1] = max(above[j+1], above[j]); x == y {
				above[j+1] = diagonal + 1
			}
			diagonal = next
		}
	}
	return above[len(b)]
}

func similarityByTable(a, b []uint64) float64 {
	return float64(lengthByTable(a, b)) / float64(max(len(a), len(b), 1))
}

// edited returns a copy of words with random removals, insertions, replacements and moves.
func edited(r *rand.Rand, words []uint64, edits, kinds int) []uint64 {
	words = slices.Clone(words)
	for range edits {
		at := r.IntN(len(words) + 1)
		switch kind := r.IntN(4); {
		case kind == 0 || len(words) < 2:
			words = slices.Insert(words, at, r.Uint64N(uint64(kinds)))
		case kind == 1:
			words = slices.Delete(words, at/2, at/2+1)
		case kind == 2:
			words[at/2] = r.Uint64N(uint64(kinds))
		default: // a passage moves to the front
			words = append(slices.Clone(words[at/2:at]), slices.Delete(words, at/2, at)...)
		}
	}
	return words
}

func randomWords(r *rand.Rand, n, kinds int) []uint64 {
	words := make([]uint64, n)
	for i := range words {
		words[i] = r.Uint64N(uint64(r.IntN(kinds) + 1)) // some are frequent
	}
	return words
}

// AtLeast agrees with the recurrence at thresholds that are met exactly, just missed, or arbitrary,
// for related and unrelated texts, also beyond the narrowest band.
func TestAtLeastIsTheRecurrence(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var c Comparer
	for round := range 3000 {
		size := r.IntN(200)
		if round%100 == 0 {
			size = 1000 + r.IntN(3*narrowest)
		}
		kinds := 1 + r.IntN(1+[]int{3, 40, 2000}[r.IntN(3)])
		a := randomWords(r, size, kinds)
		b := edited(r, a, r.IntN(size/3+2), kinds)
		if r.IntN(4) == 0 {
			b = randomWords(r, r.IntN(size+1), kinds)
		}
		longer := max(len(a), len(b))
		if longer == 0 {
			continue
		}
		length := lengthByTable(a, b)
		want := float64(length) / float64(longer)
		got, err := c.Similarity(t.Context(), a, b)
		if err != nil || got != want {
			t.Fatalf("%v and %v: similarity %v, %v, expected %v", a, b, got, err, want)
		}
		for _, s := range []float64{want, math.Nextafter(want, 2), float64(length+1) / float64(longer), want / 2, r.Float64(), 0.9, 1} {
			got, ok, err := c.AtLeast(t.Context(), b, a, s)
			if wantOK := want >= s; err != nil || ok != wantOK || ok && got != want || !ok && got != 0 {
				t.Fatalf("%v and %v: at least %v: %v, %v, %v, expected %v, %v", a, b, s, got, ok, err, want, wantOK)
			}
		}
	}
}

// Long texts need bands that move, widen and shrink.
func TestLongTextsAreTheRecurrence(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var c Comparer
	for _, kinds := range []int{2, 30, 5000} {
		for _, moved := range []int{0, 100, 900, 3000} {
			a := randomWords(r, 6000, kinds)
			b := edited(r, append(slices.Clone(a[moved:]), randomWords(r, moved, kinds)...), 300, kinds)
			want := similarityByTable(a, b)
			got, err := c.Similarity(t.Context(), a, b)
			if err != nil || got != want {
				t.Errorf("%d kinds, %d moved: %v, %v, expected %v", kinds, moved, got, err, want)
			}
			for _, s := range []float64{want, math.Nextafter(want, 2)} {
				if got, ok, err := c.AtLeast(t.Context(), a, b, s); err != nil || ok != (s == want) || ok && got != want {
					t.Errorf("%d kinds, %d moved: at least %v: %v, %v, %v, expected %v", kinds, moved, s, got, ok, err, want)
				}
			}
		}
	}
}

func words(t *rapid.T, label string) []uint64 {
	return rapid.SliceOfN(rapid.Uint64Range(0, 5), 0, 80).Draw(t, label)
}

func TestSimilarityProperties(t *testing.T) {
	var c Comparer
	rapid.Check(t, func(t *rapid.T) {
		a, b := words(t, "a"), words(t, "b")
		ab, err := c.Similarity(context.Background(), a, b)
		if err != nil {
			t.Fatal(err)
		}
		if ba, _ := c.Similarity(context.Background(), b, a); ab != ba {
			t.Fatalf("S(a, b) = %v, S(b, a) = %v", ab, ba)
		}
		if ab < 0 || ab > 1 {
			t.Fatalf("similarity %v", ab)
		}
		if equal := slices.Equal(a, b) && len(a) > 0; equal != (ab == 1) {
			t.Fatalf("similarity %v, equal: %v", ab, equal)
		}
		s := rapid.Float64Range(0.01, 1).Draw(t, "s")
		if got, ok, _ := c.AtLeast(context.Background(), a, b, s); ok != (ab >= s) || ok && got != ab {
			t.Fatalf("at least %v: %v, %v; similarity %v", s, got, ok, ab)
		}
	})
}

// Every quotient of integers is at least itself.
func TestNeeded(t *testing.T) {
	for n := 1; n < 300; n++ {
		for l := 1; l <= n; l++ {
			s := float64(l) / float64(n)
			if got := needed(s, n); got != l {
				t.Fatalf("%d of %d words: %d needed", l, n, got)
			}
			if got := needed(math.Nextafter(s, 2), n); got != l+1 {
				t.Fatalf("more than %d of %d words: %d needed", l, n, got)
			}
		}
	}
	for tenth, want := range []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10} {
		if got := needed([]float64{0, .1, .2, .3, .4, .5, .6, .7, .8, .9, 1}[tenth], 10); got != want {
			t.Errorf("0.%d of 10 words: %d needed", tenth, got)
		}
	}
}

// After the common ends are trimmed, the rest of one text may be much longer than the rest of the
// other.
func TestOneWordLeftBesideFour(t *testing.T) {
	var c Comparer
	common := randomWords(rand.New(rand.NewPCG(5, 6)), 20, 1<<30)
	a := slices.Concat(common, []uint64{1, 2, 3}, common)
	b := slices.Concat(common, []uint64{4, 2, 2, 3, 3, 2}, common)
	got, ok, err := c.AtLeast(t.Context(), a, b, 0.8)
	if want := 42.0 / 46; got != want || !ok || err != nil {
		t.Errorf("%v, %v, %v, expected %v", got, ok, err, want)
	}
}

func TestEmptyTextsAreSimilarToNothing(t *testing.T) {
	var c Comparer
	for _, other := range [][]uint64{nil, {1}} {
		if got, err := c.Similarity(t.Context(), nil, other); got != 0 || err != nil {
			t.Error(got, err)
		}
		if got, ok, err := c.AtLeast(t.Context(), nil, other, 0.5); got != 0 || ok || err != nil {
			t.Error(got, ok, err)
		}
	}
}

// countedContext is done after left calls of Err.
type countedContext struct {
	context.Context
	left int
}

func (c *countedContext) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// The context is checked before each stage and during it, so a comparison can be interrupted
// anywhere.
func TestComparisonIsInterrupted(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	a, b := randomWords(r, 2*wordsBetweenChecks, 50), randomWords(r, 2*wordsBetweenChecks, 50)
	var c Comparer
	for _, looks := range []int{0, 1, 2, 3, 4, 5, 6, 100, 500} {
		ctx := &countedContext{context.Background(), looks}
		if _, err := c.Similarity(ctx, a, b); !errors.Is(err, context.Canceled) && err != nil {
			t.Errorf("after %d checks: %v", looks, err)
		}
		if ctx.left < -2 { // context.Cause checks once more
			t.Errorf("after %d checks: it continued for %d more", looks, -1-ctx.left)
		}
	}
}

func TestComparerAllocatesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	a := randomWords(r, 3000, 300)
	b := edited(r, a, 200, 300)
	var c Comparer
	if n := testing.AllocsPerRun(10, func() {
		for _, s := range []float64{0, 0.5, 0.9, 0.99} {
			if _, _, err := c.AtLeast(t.Context(), a, b, s); err != nil {
				t.Fatal(err)
			}
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzAtLeast(f *testing.F) {
	f.Add([]byte("the dog bites the man"), []byte("the man bites the dog"), 0.6)
	f.Add([]byte("aaaabbbb"), []byte("bbbbaaaa"), 0.5)
	f.Add([]byte(""), []byte("a"), 0.9)
	var c Comparer
	f.Fuzz(func(t *testing.T, x, y []byte, s float64) {
		if len(x) > 3000 || len(y) > 3000 || !(s > 0 && s <= 1) {
			return
		}
		a, b := make([]uint64, len(x)), make([]uint64, len(y))
		for i, v := range x {
			a[i] = uint64(v)
		}
		for i, v := range y {
			b[i] = uint64(v)
		}
		want := similarityByTable(a, b)
		if got, ok, err := c.AtLeast(context.Background(), a, b, s); err != nil || ok != (want >= s) || ok && got != want {
			t.Errorf("%q and %q: at least %v: %v, %v, %v, expected %v", x, y, s, got, ok, err, want)
		}
	})
}
