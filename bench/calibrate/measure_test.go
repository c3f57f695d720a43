package calibrate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/datasets"
	"simhashkit/fphash"
)

// All counts are those that one gets pair by pair, with the cosines of package datasets and the
// fingerprints of package fphash.
func TestCountsAgreeWithPairByPair(t *testing.T) {
	for _, cosine := range []float64{0.93, 0.6, 0.25} {
		t.Run(fmt.Sprint(cosine), func(t *testing.T) { countsAgree(t, cosine) })
	}
}

func countsAgree(t *testing.T, from float64) {
	set := generated(t, 1, 400, 20)
	// copies, one of them of another length; an empty vector; one that is on both sides of zero
	for _, row := range []datasets.Row[float32]{
		{Indices: []uint64{5, 9}, Weights: []float32{1, 2}}, {Indices: []uint64{5, 9}, Weights: []float32{1, 2}}, {Indices: []uint64{5, 9}, Weights: []float32{3, 6}},
		{}, {Indices: []uint64{5, 9}, Weights: []float32{-1, -2}},
	} {
		if err := set.Append(&row); err != nil {
			t.Fatal(err)
		}
	}
	o := Options{Hash: family(t, "xxh64"), Cosine: from, Workers: 2}
	got := measure(t, set, o)
	if got.Given != 405 || got.Used != 404 || got.Skipped != 1 {
		t.Errorf("%d vectors given, %d used, %d skipped", got.Given, got.Used, got.Skipped)
	}

	type column struct {
		h    Hash
		bits int
	}
	columns := []column{{o.Hash, 32}, {o.Hash, 64}, {o.Hash.widenable(128), 128}, {o.Hash.widenable(256), 256}}
	found, hits := make([][]float64, len(columns)), make([][]float64, len(columns))
	keyed := make([][][]fphash.Fingerprint, len(columns))
	for c, col := range columns {
		found[c], hits[c] = make([]float64, col.bits+1), make([]float64, col.bits+1)
		for seed := range uint64(4) {
			col.h.Seed = seed
			s, err := col.h.sketcher(col.bits, 1)
			if err != nil {
				t.Fatal(err)
			}
			var list []fphash.Fingerprint
			for i := range set.Len() {
				indices, weights := set.Row(i)
				f, _, err := fphash.Append(s, nil, indices, weights)
				if err != nil {
					t.Fatal(err)
				}
				list = append(list, f)
			}
			keyed[c] = append(keyed[c], list)
		}
	}
	var pairs, copies, near uint64
	for j := range set.Len() {
		for i := range j {
			a, x := set.Row(i)
			b, y := set.Row(j)
			if len(a) == 0 || len(b) == 0 {
				continue
			}
			pairs++
			cosine := datasets.Cosine(a, x, b, y)
			if cosine > 1-1e-13 {
				copies++
				continue
			}
			kind := other
			if cosine >= o.Cosine {
				near++
				kind = duplicate
			}
			for c, col := range columns {
				for _, f := range keyed[c] {
					part := 1 / float64(len(keyed[c])) // a power of two
					for k := fphash.Distance(f[i], f[j]); k <= col.bits; k++ {
						found[c][k] += part
						if kind == duplicate {
							hits[c][k] += part
						}
					}
				}
			}
		}
	}
	if got.Pairs != pairs || got.Copies != copies || got.Near != near || copies != 3 {
		t.Errorf("%d pairs, %d copies, %d near, want %d, %d, %d", got.Pairs, got.Copies, got.Near, pairs, copies, near)
	}
	check := func(name string, thresholds []Threshold, c int) {
		for k, x := range thresholds {
			recall, precision := hits[c][k]/float64(near), 0.0
			if found[c][k] > 0 {
				precision = hits[c][k] / found[c][k]
			}
			if x.K != k || x.Found != found[c][k] || x.Hits != hits[c][k] || math.Abs(x.Recall.Value-recall) > 1e-12 || x.Precision.Value != precision || x.Precision.Defined != (found[c][k] > 0) {
				t.Errorf("%s, k = %d: %+v, want %v found, %v hits", name, k, x, found[c][k], hits[c][k])
			}
			for _, e := range []Estimate{x.Recall, x.Precision} {
				if !(0 <= e.Low && e.Low <= e.Value && e.Value <= e.High && e.High <= 1) {
					t.Errorf("%s, k = %d: %+v", name, k, e)
				}
			}
		}
	}
	if len(got.Widths) != 4 {
		t.Fatalf("%d widths", len(got.Widths))
	}
	for c, w := range got.Widths {
		if w.Bits != columns[c].bits || len(w.Thresholds) != w.Bits+1 {
			t.Errorf("width %d has %d bits, %d thresholds", c, w.Bits, len(w.Thresholds))
		}
		check("own", w.Thresholds, c)
		if w.Least < 0 || w.Thresholds[w.Least].Recall.Value < DefaultRecall || w.Least > 0 && w.Thresholds[w.Least-1].Recall.Value >= DefaultRecall {
			t.Errorf("%d bits: least k %d", w.Bits, w.Least)
		}
	}
	inBands := got.Copies
	for _, b := range got.Bands {
		inBands += b.Pairs
		sum := uint64(0)
		for _, n := range b.Histogram {
			sum += n
		}
		if sum != b.Pairs || b.Within[64] != 1 || math.Abs(b.ModelWithin[64]-1) > 1e-12 {
			t.Errorf("band %v: %d pairs, %d in the histogram, %v, %v", b.Low, b.Pairs, sum, b.Within[64], b.ModelWithin[64])
		}
	}
	if inBands != pairs {
		t.Errorf("%d pairs in bands, want %d", inBands, pairs)
	}
}

// On vectors with many features of like weight, the model and the measurement agree.
func TestModelAgreesWithMeasurement(t *testing.T) {
	set, _, err := datasets.Generate[float32](t.Context(), datasets.GenerateOptions{
		Seed: 5, Vectors: 1200, NNZ: 300, Weights: datasets.UnitWeights, Exponent: 0.5,
		Duplicates: []datasets.PlantedPairs{{Cosine: 0.95, Pairs: 500}},
	})
	if err != nil {
		t.Fatal(err)
	}
	c := measure(t, set, Options{Hash: family(t, "xxh64")})
	for _, b := range c.Bands {
		if b.Pairs < 400 {
			continue
		}
		if math.Abs(b.Mean-b.ModelMean) > 0.35 || math.Abs(b.Deviation-b.ModelDeviation) > 0.35 {
			t.Errorf("cosine %v to %v, %d pairs: %.2f ± %.2f, model %.2f ± %.2f", b.Low, b.High, b.Pairs, b.Mean, b.Deviation, b.ModelMean, b.ModelDeviation)
		}
		for k, within := range b.Within {
			if math.Abs(within-b.ModelWithin[k]) > 0.08 {
				t.Errorf("the model is off at cosine %v, k = %d: %v, measured %v", b.Low, k, b.ModelWithin[k], within)
			}
		}
	}
}

// The same whatever the number of workers; another order of the rows is another sample of the same
// pairs.
func TestDeterministic(t *testing.T) {
	set := generated(t, 2, 500, 30)
	want := measure(t, set, Options{Hash: family(t, "xxh64"), Workers: 1})
	for _, workers := range []int{2, 5} {
		if diff := cmp.Diff(want, measure(t, set, Options{Hash: family(t, "xxh64"), Workers: workers})); diff != "" {
			t.Errorf("%d workers (-1 +%d):\n%s", workers, workers, diff)
		}
	}
	other := measure(t, set, Options{Hash: family(t, "xxh64"), Seed: 9})
	if other.Near != want.Near || other.Widths[1].Thresholds[8].Found != want.Widths[1].Thresholds[8].Found {
		t.Error("another order of the same vectors has other counts")
	}
}

// Unit weights count each listed feature, repeats too, in fingerprints and in cosines.
func TestUnitWeights(t *testing.T) {
	set := datasets.CSR[float32]{Offsets: []int{0, 3, 5, 7}, Indices: []uint64{7, 7, 9, 9, 7, 1, 2}}
	c := measure(t, set, Options{Hash: family(t, "xxh64")})
	var got []float64
	for _, b := range c.Bands {
		got = append(got, b.Low, float64(b.Pairs))
	}
	if model := 64 * math.Acos(3/math.Sqrt(10)) / math.Pi; math.Abs(c.Bands[0].ModelMean-model) > 1e-9 {
		t.Errorf("the model's mean distance at cosine 3/√10 is %v, want %v", c.Bands[0].ModelMean, model)
	}
	// (2, 1) and (1, 1): 3/√10 = 0.949; the third has nothing in common with either.
	if diff := cmp.Diff([]float64{0.9, 1, 0, 2}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What was left to the defaults stands in the result, also where nothing could be measured.
func TestResultSaysWhatWasWanted(t *testing.T) {
	for _, set := range []datasets.CSR[float32]{generated(t, 1, 50, 1), {}} {
		c := measure(t, set, Options{Hash: family(t, "xxh64"), Precision: 0.5})
		if c.Bits != 64 || c.Cosine != DefaultCosine || c.Recall != DefaultRecall || c.Precision != 0.5 {
			t.Errorf("%d bits, cosine %v, recall %v, precision %v", c.Bits, c.Cosine, c.Recall, c.Precision)
		}
	}
}

func TestRefused(t *testing.T) {
	set := generated(t, 1, 50, 1)
	nan := datasets.CSR[float32]{Offsets: []int{0, 1, 2}, Indices: []uint64{1, 2}, Weights: []float32{1, float32(math.NaN())}}
	broken := datasets.CSR[float32]{Offsets: []int{0, 9}, Indices: []uint64{1}, Weights: []float32{1}}
	big := datasets.CSR[float32]{Offsets: []int{0, 2, 3}, Indices: []uint64{1, 2, 1}, Weights: []float32{3e38, 3e38, 1}}
	h := family(t, "xxh64")
	for _, tc := range []struct {
		name string
		set  datasets.CSR[float32]
		o    Options
	}{
		{"cosine", set, Options{Hash: h, Cosine: 1}}, {"cosine", set, Options{Hash: h, Cosine: math.NaN()}}, {"recall", set, Options{Hash: h, Recall: 1.1}},
		{"precision", set, Options{Hash: h, Precision: -0.1}}, {"vectors", set, Options{Hash: h, Vectors: 1}}, {"no hash", set, Options{}},
		{"too wide", set, Options{Hash: h, Bits: 128}}, {"no width", set, Options{Hash: h, Bits: -1}}, {"NaN", nan, Options{Hash: h}}, {"offsets", broken, Options{Hash: h}},
		{"overflow", big, Options{Hash: h}},
	} {
		if c, err := Measure(context.Background(), &tc.set, tc.o); err == nil {
			t.Errorf("%s: %+v, no error", tc.name, c)
		}
	}
	cause := errors.New("interrupted")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(cause)
	if _, err := Measure(ctx, &set, Options{Hash: h}); !errors.Is(err, cause) {
		t.Errorf("error %v, want %v", err, cause)
	}
}

// Weights of any size have a finite cosine, and nothing in any result is NaN, which JSON could not
// carry.
func TestExtremeWeights(t *testing.T) {
	set := datasets.CSR[float64]{Offsets: []int{0}}
	for i := range 60 {
		scale := math.Pow(10, float64(5*i-150))
		if err := set.Append(&datasets.Row[float64]{Indices: []uint64{1, 2, uint64(3 + i)}, Weights: []float64{scale, -scale, scale / 10}}); err != nil {
			t.Fatal(err)
		}
	}
	c := measure(t, set, Options{Hash: family(t, "xxh64")})
	if c.Used != 60 || c.Near != 60*59/2 {
		t.Errorf("%d vectors, %d near-duplicates", c.Used, c.Near)
	}
	if _, err := json.Marshal(c); err != nil {
		t.Error(err)
	}
}
