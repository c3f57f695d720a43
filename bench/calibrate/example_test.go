package calibrate_test

import (
	"context"
	"fmt"
	"log"

	"simhashkit/bench/calibrate"
	"simhashkit/datasets"
	"simhashkit/fphash"
)

// Which threshold finds nine in ten of the pairs with a cosine of 0.95 and above?
func ExampleMeasure() {
	set, _, err := datasets.Generate[float32](context.Background(), datasets.GenerateOptions{
		Seed: 1, Vectors: 1000, Dimensions: 1_000_000, NNZ: 200, Exponent: 0.5, Weights: datasets.UnitWeights,
		Duplicates: []datasets.PlantedPairs{{Cosine: 0.97, Pairs: 200}},
	})
	if err != nil {
		log.Fatal(err)
	}
	family, err := fphash.Lookup("xxh64")
	if err != nil {
		log.Fatal(err)
	}
	c, err := calibrate.Measure(context.Background(), &set, calibrate.Options{Hash: calibrate.Hash{Family: family}, Cosine: 0.95, Recall: 0.9})
	if err != nil {
		log.Fatal(err)
	}
	if c.Suggestion == nil {
		log.Fatal(c.Note)
	}
	for _, w := range c.Widths {
		if w.Bits == 64 {
			at := w.Thresholds[w.Least]
			fmt.Printf("64 bits, k = %d: recall %.2f, precision %.2f\n", at.K, at.Recall.Value, at.Precision.Value)
		}
	}
	// Output: 64 bits, k = 8: recall 0.94, precision 1.00
}
