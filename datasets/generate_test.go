package datasets

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The sets are frozen: they are equal on every machine and in every later version, since stored
// measurements depend on them.
func TestGenerateIsFrozen(t *testing.T) {
	planted := []PlantedPairs{{0.95, 10}, {0.8, 5}}
	for _, c := range []struct {
		options GenerateOptions
		want    string
	}{
		{GenerateOptions{Vectors: 100, NNZ: 50, Duplicates: planted}, "d605b9ecd7d330ba"},
		{GenerateOptions{Vectors: 100, NNZ: 50, Duplicates: planted, Seed: 1}, "9cf9f0d0492f68ab"},
		{GenerateOptions{Vectors: 100, NNZ: 50, Duplicates: planted, Weights: Unit}, "a58d7c2dd05bab88"},
		{GenerateOptions{Vectors: 100, NNZ: 50, Duplicates: planted, Weights: tfidfWeights, Dimensions: 1e6}, "625cd40701a6fc3c"},
		{GenerateOptions{Vectors: 30, NNZ: 7, Duplicates: planted, Weights: tfidfWeights, Dimensions: 56}, "5d366dcf215ed300"},
	} {
		set, pairs, err := Generate[float32](t.Context(), c.options)
		if err != nil {
			t.Fatal(err)
		}
		var buf bytes.Buffer
		if err := WriteSVMLight(t.Context(), &buf, &set); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&buf, "%v\n", pairs)
		sum := sha256.Sum256(buf.Bytes())
		if got := hex.EncodeToString(sum[:8]); got != c.want {
			t.Errorf("%+v: checksum %s, want %s", c.options, got, c.want)
		}
	}
}

func TestGenerateShape(t *testing.T) {
	for _, weights := range []string{Unit, countWeights, tfidfWeights} {
		for _, dimensions := range []uint64{0, 400, 1e6} {
			options := GenerateOptions{Vectors: 500, NNZ: 50, Weights: weights, Dimensions: dimensions}
			set, pairs, err := Generate[float64](t.Context(), options)
			if err != nil {
				t.Fatal(err)
			}
			if err := set.Validate(); err != nil {
				t.Fatal(err)
			}
			info := describe(t, &set)
			if len(pairs) != 0 || info.Rows != 500 || info.MinNNZ < 25 || info.MaxNNZ > 75 || math.Abs(info.MeanNNZ-50) > 2 || info.DuplicateRows != 0 {
				t.Errorf("%+v: %+v", options, info)
			}
			if dimensions != 0 && info.MaxIndex >= dimensions || dimensions == 0 && info.MaxIndex < 1<<63 {
				t.Errorf("%+v: largest index %d", options, info.MaxIndex)
			}
			if (weights == Unit) != info.OneWeights || (weights == Unit) != (set.Weights == nil) || (weights != tfidfWeights) != info.WholeWeights {
				t.Errorf("%+v: weights are not of the kind: %+v", options, info)
			}
			for i := range set.Len() {
				indices, weights := set.Row(i)
				if !strictlyAscending(indices) {
					t.Fatalf("row %d is not in order", i)
				}
				for _, w := range weights {
					if !(w >= 1) {
						t.Fatalf("row %d has weight %v", i, w)
					}
				}
			}
		}
	}
}

func TestPlantedCosines(t *testing.T) {
	wanted := []float64{0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 1}
	var planted []PlantedPairs
	for _, c := range wanted {
		planted = append(planted, PlantedPairs{c, 10})
	}
	for _, weights := range []string{Unit, countWeights, tfidfWeights} {
		// The fewer the dimensions, the more one feature dominates.
		for _, dimensions := range []uint64{0, 800, 1e5} {
			options := GenerateOptions{Vectors: 230, NNZ: 100, Weights: weights, Dimensions: dimensions, Duplicates: planted}
			set, pairs, err := Generate[float32](t.Context(), options)
			if err != nil {
				t.Fatal(err)
			}
			seen := map[int]bool{}
			for p, pair := range pairs {
				if pair.Wanted != wanted[p/10] || seen[pair.A] || seen[pair.B] || pair.A == pair.B {
					t.Fatalf("pair %d is %+v", p, pair)
				}
				seen[pair.A], seen[pair.B] = true, true
				aIndices, aWeights := set.Row(pair.A)
				bIndices, bWeights := set.Row(pair.B)
				if got := naiveCosine(aIndices, aWeights, bIndices, bWeights); !(math.Abs(got-pair.Cosine) <= 1e-12) {
					t.Errorf("pair %d says cosine %v, but has %v", p, pair.Cosine, got)
				}
				if !(math.Abs(pair.Cosine-pair.Wanted) <= 0.005) {
					t.Errorf("%s, %d dimensions: cosine %v, wanted %v", weights, dimensions, pair.Cosine, pair.Wanted)
				}
			}
			if len(pairs) != 10*len(wanted) {
				t.Errorf("%d pairs", len(pairs))
			}
		}
	}
}

func TestGenerateRefuses(t *testing.T) {
	good := GenerateOptions{Vectors: 10, NNZ: 5}
	for _, c := range []struct {
		change func(*GenerateOptions)
		want   string
	}{
		{func(o *GenerateOptions) { o.Vectors = -1 }, "-1 vectors"},
		{func(o *GenerateOptions) { o.NNZ = 0 }, "a mean of 0 features is not between 1 and 1048576"},
		{func(o *GenerateOptions) { o.Vectors = math.MaxInt / 100 }, fmt.Sprintf("%d vectors of 5 features, want at most 4294967296 features in all", math.MaxInt/100)},
		{func(o *GenerateOptions) { o.Vectors = math.MaxInt / 8 }, fmt.Sprintf("%d vectors of 5 features, want at most 4294967296 features in all", math.MaxInt/8)},
		{func(o *GenerateOptions) { o.Dimensions = 39 }, "39 dimensions are too few for a mean of 5 features: at least 40 are needed"},
		{func(o *GenerateOptions) { o.Dimensions = 1<<53 + 1 }, "9007199254740993 dimensions are more than 2^53; 0 means all 2^64"},
		{func(o *GenerateOptions) { o.Weights = "x" }, `unknown weights "x": expected "unit", "counts" or "tfidf"`},
		{func(o *GenerateOptions) { o.Weights = tfidfWeights }, "tfidf weights are fractions, which int32 does not hold"},
		{func(o *GenerateOptions) { o.Duplicates = []PlantedPairs{{1.1, 1}} }, "cosine 1.1 of planted pairs is not between 0 and 1"},
		{func(o *GenerateOptions) { o.Duplicates = []PlantedPairs{{math.NaN(), 1}} }, "cosine NaN of planted pairs is not between 0 and 1"},
		{func(o *GenerateOptions) { o.Duplicates = []PlantedPairs{{0.9, 3}, {0.8, 3}} }, "3 pairs at cosine 0.8 do not fit: 10 vectors hold 5 pairs in all"},
		{func(o *GenerateOptions) { o.Duplicates = []PlantedPairs{{0.9, -3}} }, "-3 pairs at cosine 0.9 do not fit: 10 vectors hold 5 pairs in all"},
	} {
		options := good
		c.change(&options)
		_, _, err := Generate[int32](t.Context(), options)
		wantError(t, err, "datasets: "+c.want)
	}
	if set, _, err := Generate[int32](t.Context(), GenerateOptions{NNZ: 1}); err != nil || set.Len() != 0 || set.Validate() != nil {
		t.Errorf("no vectors: %+v, %v", set, err)
	}
}

func TestGenerateSeeds(t *testing.T) {
	options := GenerateOptions{Vectors: 20, NNZ: 20}
	first, _, err := Generate[int32](t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	options.Seed++
	second, _, err := Generate[int32](t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	if cmp.Equal(first, second) {
		t.Error("two seeds give the same set")
	}
	options.Vectors = 30
	longer, _, err := Generate[int32](t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	if !cmp.Equal(longer.Indices[:second.NNZ()], second.Indices) {
		t.Error("a vector depends on the number of vectors")
	}
}

// A chi-squared test checks the frequencies of the first ranks. The seed is fixed, so the result is
// always the same.
func TestZipfLaw(t *testing.T) {
	for _, n := range []uint64{30, 1000, 1 << 24} {
		const draws, bins = 100000, 20
		z, source := newZipf(n), rand.NewPCG(1, 2)
		total := 0.0
		for k := uint64(1); k <= n; k++ {
			total += 1 / float64(k)
		}
		var counts [bins + 1]float64
		for range draws {
			k := z.rank(source)
			if k < 1 || k > n {
				t.Fatalf("%d ranks: rank %d", n, k)
			}
			counts[min(k, bins+1)-1]++
		}
		chi2, rest := 0.0, float64(draws)
		for k := 1; k <= bins; k++ {
			expected := draws / float64(k) / total
			rest -= expected
			chi2 += (counts[k-1] - expected) * (counts[k-1] - expected) / max(expected, 1)
		}
		chi2 += (counts[bins] - rest) * (counts[bins] - rest) / max(rest, 1)
		if chi2 > 46 { // 20 degrees of freedom: probability 0.001
			t.Errorf("%d ranks: chi-squared %.1f: %v", n, chi2, counts)
		}
	}
}
