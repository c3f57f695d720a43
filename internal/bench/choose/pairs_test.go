package choose

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"simhashkit/datasets"
	"simhashkit/fphash"
)

func familyOf(t *testing.T, name string) fphash.Family {
	t.Helper()
	family, err := fphash.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return family
}

// generated returns vectors with near-duplicates, a copy, two zero vectors, and weights of both
// signs.
func generated(t *testing.T, n int) *datasets.CSR[float32] {
	t.Helper()
	set, _, err := datasets.Generate[float32](t.Context(), datasets.GenerateOptions{
		Seed: 5, Vectors: n, NNZ: 30, Dimensions: 3000, Weights: "tfidf",
		Duplicates: []datasets.PlantedPairs{{Cosine: 0.95, Pairs: n / 10}, {Cosine: 0.905, Pairs: n / 10}, {Cosine: 0.8, Pairs: n / 10}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, index := range set.Indices {
		if index%3 == 0 {
			set.Weights[i] = -set.Weights[i]
		}
	}
	first, weights := set.Row(0)
	for _, row := range []datasets.Row[float32]{{}, {Indices: slices.Clone(first), Weights: slices.Clone(weights)}, {Indices: []uint64{7, 8, 7}, Weights: []float32{1, 0, -1}}} {
		if err := set.Append(&row); err != nil {
			t.Fatal(err)
		}
	}
	return &set
}

// compare counts the same pairs as a simple loop over all nonzero vectors, which computes exact
// cosines and the distances of fingerprints for four keyings.
func TestCompare(t *testing.T) {
	const cosine = 0.9
	set, h := generated(t, 120), familyOf(t, "xxh64")
	c, err := compare(context.Background(), set, h, Options{Cosine: cosine, Progress: func(string, float64) {}})
	if err != nil {
		t.Fatal(err)
	}
	if c.pairs.Sample != 121 || c.pairs.Vectors != 123 || c.pairs.All != 121*120/2 {
		t.Errorf("%+v", *c.pairs)
	}
	var copies, nears, fars uint64
	near, other := make([]uint64, 65), make([]uint64, 65)
	for seed := range uint64(4) {
		s, err := fphash.New(fphash.Definition{Float32: true, Seed: seed}, fphash.WithFamily(h))
		if err != nil {
			t.Fatal(err)
		}
		codes, _, err := fphash.AppendBatch(s, nil, nil, set.Offsets, set.Indices, set.Weights)
		if err != nil {
			t.Fatal(err)
		}
		for j := range set.Len() {
			for i := range j {
				ai, aw := set.Row(i)
				bi, bw := set.Row(j)
				exact := datasets.Cosine(ai, aw, bi, bw)
				switch d := fphash.Distance64(codes[i], codes[j]); {
				case i == 120 || j == 120 || i == 122 || j == 122: // zero vectors
				case exact > 1-1e-13:
					copies++
				case exact >= cosine-1e-12:
					nears++
					near[d]++
					if exact < 0.91 {
						fars++
					}
				default:
					other[d]++
				}
			}
		}
	}
	w := c.widths[1]
	sum := func(t tally) []uint64 {
		all := make([]uint64, w.bits+1)
		for _, counts := range t[:w.keyings] {
			for d, n := range counts {
				all[d] += n
			}
		}
		return all
	}
	if c.pairs.Copies != copies/4 || c.pairs.Near != nears/4 || copies != 4 || nears == 0 || w.bits != 64 || w.keyings != 4 || !slices.Equal(sum(w.near), near) || !slices.Equal(sum(w.other), other) {
		t.Errorf("%d copies, %d near:\n%v\n%v\nwant %d and %d:\n%v\n%v", c.pairs.Copies, c.pairs.Near, sum(w.near), sum(w.other), copies/4, nears/4, near, other)
	}
	if c.pairs.Repeated != 1 {
		t.Errorf("%d repeated", c.pairs.Repeated)
	}
	if _, far := w.far.within(64); fars < 20 || far != float64(fars) {
		t.Errorf("%v pairs are counted as far, want %d", far, fars)
	}
	var bits []int
	for _, w := range c.widths {
		bits = append(bits, w.bits)
	}
	if !slices.Equal(bits, []int{32, 64, 128, 256}) || c.widths[1].widen != "" || c.widths[2].widen != "mix" {
		t.Errorf("widths %v", bits)
	}
}

// A sample whose cosines would take too long is reduced, and its cosines are those of the vectors
// in rows.
func TestSample(t *testing.T) {
	set := generated(t, 200)
	all, err := newSample(set, mostVectors, mostWork)
	if err != nil {
		t.Fatal(err)
	}
	few, err := newSample(set, mostVectors, all.work()/4)
	if err != nil || all.len() != 201 || few.len() >= 130 || few.work() > all.work()/4 {
		t.Fatalf("%d and %d vectors (%v)", all.len(), few.len(), err)
	}
	if ten, err := newSample(set, 10, mostWork); err != nil || ten.len() != 10 {
		t.Errorf("%d vectors, want 10 (%v)", ten.len(), err)
	}
	dots := make([]float64, few.len())
	for j := range few.len() {
		few.cosines(dots, j)
		for i, got := range dots[:j] {
			ai, aw := set.Row(few.rows[i])
			bi, bw := set.Row(few.rows[j])
			if want := datasets.Cosine(ai, aw, bi, bw); math.Abs(got-want) > 1e-12 {
				t.Fatalf("vectors %d and %d: cosine %v, want %v", few.rows[i], few.rows[j], got, want)
			}
		}
	}
}

// If a weight is not finite, the error has the number of the vector.
func TestCompareFails(t *testing.T) {
	set := generated(t, 20)
	set.Weights[set.Offsets[4]] = float32(math.Inf(1))
	if _, err := compare(context.Background(), set, familyOf(t, "xxh64"), Options{Cosine: 0.9, Progress: func(string, float64) {}}); err == nil || err.Error() != "choose: vector 5: "+fphash.NotFinite.Err().Error() {
		t.Errorf("%v", err)
	}
}

// The interval of a sample covers the recall among all vectors, also if near-duplicates come in
// families, with a seeded hash and with one that has no seed.
func TestIntervalsHoldForOtherSamples(t *testing.T) {
	const size, samples = 200, 20
	originals, _, err := datasets.Generate[float32](t.Context(), datasets.GenerateOptions{Seed: 9, Vectors: 150, NNZ: 40, Dimensions: 3000, Weights: "tfidf"})
	if err != nil {
		t.Fatal(err)
	}
	var all datasets.CSR[float32] // ten edited copies of each original
	r := rand.New(rand.NewPCG(9, 9))
	for i := range 10 * originals.Len() {
		indices, weights := originals.Row(i % originals.Len())
		edited := datasets.Row[float32]{Indices: slices.Clone(indices), Weights: weights}
		for _, at := range r.Perm(len(indices))[:1+i%4] {
			edited.Indices[at] = 3000 + r.Uint64N(3000)
		}
		if err := all.Append(&edited); err != nil {
			t.Fatal(err)
		}
	}
	compared := func(set *datasets.CSR[float32], name string) *comparison {
		c, err := compare(t.Context(), set, familyOf(t, name), Options{Cosine: 0.9, Progress: func(string, float64) {}})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	for _, name := range []string{"xxh64", "splitmix64"} {
		whole := compared(&all, name)
		k := whole.least(whole.widths[1], func(at Threshold) bool { return at.Finds >= 0.9 }).K
		want, covered, widest := whole.threshold(whole.widths[1], k).Finds, 0, 0.0
		for i := range samples {
			var some datasets.CSR[float32]
			r := rand.New(rand.NewPCG(uint64(i), 1))
			for _, row := range r.Perm(all.Len())[:size] {
				indices, weights := all.Row(row)
				if err := some.Append(&datasets.Row[float32]{Indices: indices, Weights: weights}); err != nil {
					t.Fatal(err)
				}
			}
			c := compared(&some, name)
			at := c.threshold(c.widths[1], k)
			if at.Low <= want && want <= at.High {
				covered++
			}
			widest = max(widest, at.High-at.Low)
		}
		if covered < samples*9/10 || widest > 0.4 {
			t.Errorf("%s: %d of %d intervals cover %v; the widest is %v", name, covered, samples, want, widest)
		}
	}
}
