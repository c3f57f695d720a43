package choose

import (
	"context"
	"slices"
	"testing"

	"simhashkit/bench"
	"simhashkit/bench/advice"
	"simhashkit/bench/calibrate"
	"simhashkit/bench/terms"
	"simhashkit/datasets"
	"simhashkit/fphash"
	"simhashkit/internal/testing/long"
)

// On data of many kinds, what choose names agrees with what calibrate says of the default and with
// the verdicts that bench and report show, and a second run names the same: times may differ, k and
// width may not, and a hash other than the default is named only if it is clearly cheaper or the
// default fails.
func TestAnswersAgree(t *testing.T) {
	long.Skip(t, "measures ten data sets twice")
	family, err := fphash.Lookup(fphash.DefaultHash)
	if err != nil {
		t.Fatal(err)
	}
	for name, set := range kindsOfData(t) {
		t.Run(name, func(t *testing.T) {
			data, err := bench.NewData(name+".svm", name, set)
			if err != nil {
				t.Fatal(err)
			}
			options := Options{Data: data, Hashes: []string{"xxh64", "fmix64", "fnv1-64"}}
			a, again := chosen(t, options), chosen(t, options)
			if a.taken().K != again.taken().K || a.taken().Bits != again.taken().Bits || a.lead() != again.lead() && a.Hash.Family.Name == again.Hash.Family.Name {
				t.Errorf("two runs: %s\n%s", a.lead(), again.lead())
			}
			floats, err := data.Float32()
			if err != nil {
				t.Fatal(err)
			}
			own, err := calibrate.Measure(context.Background(), &floats, calibrate.Options{Hash: calibrate.Hash{Family: family}})
			if err != nil {
				t.Fatal(err)
			}
			switch s, of := a.Calibration.Suggestion, own.Suggestion; {
			case (s == nil) != (of == nil) || a.Calibration.Note != own.Note:
				t.Errorf("choose: %+v, %q; calibrate: %+v, %q", s, a.Calibration.Note, of, own.Note)
			case s != nil && *s != *of:
				t.Errorf("choose says %+v, calibrate %+v", *s, *of)
			}
			best, why := a.Ranking().Best, a.Ranking().Why
			if best == nil || best.Verdict() == terms.Weak {
				t.Fatalf("best %v", best)
			}
			if best.IsDefault() != slices.Contains([]advice.Reason{advice.NothingCheaper, advice.CannotTell}, why) {
				t.Errorf("%v for reason %d", best, why)
			}
			if best.Hash == "fnv1-64" && best.Elsewhere != nil && len(a.Hashes.Good) > 0 {
				t.Errorf("%v is good here only", best)
			}
		})
	}
}

// kindsOfData are ten sets of vectors that advice has been wrong about, or may be.
func kindsOfData(t *testing.T) map[string]datasets.CSR[float64] {
	t.Helper()
	generated := func(o datasets.GenerateOptions) datasets.CSR[float64] {
		set, _, err := datasets.Generate[float64](t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		return set
	}
	pairs := []datasets.PlantedPairs{{Cosine: 0.95, Pairs: 60}, {Cosine: 0.8, Pairs: 60}}
	signed := generated(datasets.GenerateOptions{Seed: 4, Vectors: 500, NNZ: 40, Dimensions: 5000, Weights: datasets.TFIDFWeights, Duplicates: pairs})
	for i, index := range signed.Indices {
		if index%3 == 0 {
			signed.Weights[i] = -signed.Weights[i]
		}
	}
	var oneHot, identical datasets.CSR[float64]
	for i := range 300 {
		for _, one := range []struct {
			set *datasets.CSR[float64]
			row datasets.Row[float64]
		}{{&oneHot, datasets.Row[float64]{Indices: []uint64{uint64(i % 100)}, Weights: []float64{1}}}, {&identical, datasets.Row[float64]{Indices: []uint64{1, 2, 3}, Weights: []float64{1, 2, 3}}}} {
			if err := one.set.Append(&one.row); err != nil {
				t.Fatal(err)
			}
		}
	}
	return map[string]datasets.CSR[float64]{
		"words":       generated(datasets.GenerateOptions{Seed: 1, Vectors: 500, NNZ: 60, Dimensions: 50_000, Weights: datasets.TFIDFWeights, Duplicates: pairs}),
		"counts":      generated(datasets.GenerateOptions{Seed: 2, Vectors: 500, NNZ: 60, Dimensions: 5000, Duplicates: pairs}),
		"very short":  generated(datasets.GenerateOptions{Seed: 3, Vectors: 500, NNZ: 4, Dimensions: 500, Weights: datasets.UnitWeights, Duplicates: pairs}),
		"signed":      signed,
		"hashed ids":  generated(datasets.GenerateOptions{Seed: 5, Vectors: 500, NNZ: 40, Weights: datasets.TFIDFWeights, Duplicates: pairs}),
		"few pairs":   generated(datasets.GenerateOptions{Seed: 6, Vectors: 300, NNZ: 40, Dimensions: 50_000, Weights: datasets.TFIDFWeights, Duplicates: []datasets.PlantedPairs{{Cosine: 0.95, Pairs: 5}}}),
		"near copies": generated(datasets.GenerateOptions{Seed: 7, Vectors: 400, NNZ: 200, Dimensions: 50_000, Weights: datasets.TFIDFWeights, Duplicates: []datasets.PlantedPairs{{Cosine: 0.999, Pairs: 100}}}),
		"long":        generated(datasets.GenerateOptions{Seed: 8, Vectors: 300, NNZ: 600, Dimensions: 1_000_000, Weights: datasets.TFIDFWeights, Duplicates: pairs}),
		"one-hot":     oneHot,
		"identical":   identical,
	}
}
