package calibrate

import (
	"context"
	"testing"

	"simhashkit/datasets"
	"simhashkit/fphash"
)

// family returns a hash of package fphash.
func family(t *testing.T, name string) Hash {
	t.Helper()
	f, err := fphash.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return Hash{Family: f}
}

// generated returns vectors with pairs planted at many cosines.
func generated(t *testing.T, seed uint64, vectors, each int) datasets.CSR[float32] {
	t.Helper()
	var planted []datasets.PlantedPairs
	for _, c := range []float64{0.99, 0.97, 0.95, 0.92, 0.85, 0.7} {
		planted = append(planted, datasets.PlantedPairs{Cosine: c, Pairs: each})
	}
	set, _, err := datasets.Generate[float32](t.Context(), datasets.GenerateOptions{
		Seed: seed, Vectors: vectors, NNZ: 40, Dimensions: 100_000, Weights: datasets.TFIDFWeights, Duplicates: planted,
	})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func measure[W datasets.Weight](t *testing.T, set datasets.CSR[W], o Options) *Calibration {
	t.Helper()
	c, err := Measure(context.Background(), &set, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
