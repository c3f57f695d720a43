package main

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"simhashkit/datasets"
)

// cosineOf is the cosine by the definition.
func cosineOf(aIndices []uint64, a []float64, bIndices []uint64, b []float64) float64 {
	weights := map[uint64]float64{}
	aa, bb, ab := 0.0, 0.0, 0.0
	for i, index := range aIndices {
		weights[index] = a[i]
		aa += a[i] * a[i]
	}
	for i, index := range bIndices {
		bb += b[i] * b[i]
		ab += weights[index] * b[i]
	}
	return ab / math.Sqrt(aa*bb)
}

// Pairs have the cosine that they are said to have, however few the features, and about the one
// that was asked for.
func TestPairsHaveTheirCosine(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []Case{{Weights: LogNormal, Features: 100}, {Weights: LogNormal, Features: 10}, {Weights: datasets.Unit, Features: 100}, {Weights: Outlier, Features: 100}, {Weights: datasets.Unit, Features: 1}} {
		var p pair
		for range 200 {
			p.draw(c, r)
			for _, text := range Cosines {
				wanted, err := strconv.ParseFloat(text, 64)
				if err != nil {
					t.Fatal(err)
				}
				indices, weights, said := p.at(wanted)
				is := cosineOf(p.indices, p.weights, indices, weights)
				if math.Abs(is-said) > 1e-9 || math.Abs(is-wanted) > 0.001 {
					t.Fatalf("%s, %d features: cosine %v, said to be %v, expected about %v", c.Weights, c.Features, is, said, wanted)
				}
			}
		}
	}
}

// Of equal weights whole features are replaced, and no weight is changed.
func TestUnitPairs(t *testing.T) {
	var p pair
	p.draw(Case{Weights: datasets.Unit, Features: 100}, rand.New(rand.NewPCG(3, 4)))
	for _, text := range []string{"0.99", "0.95", "0.90"} {
		wanted, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		indices, weights, _ := p.at(wanted)
		same := 0
		for i, index := range p.indices {
			if indices[i] == index {
				same++
			}
			if weights[i] != 1 {
				t.Errorf("cosine %s: weight %v, expected 1", text, weights[i])
			}
		}
		if len(indices) != 100 || float64(same) != math.Round(100*wanted) {
			t.Errorf("cosine %s: %d of %d features are the same", text, same, len(indices))
		}
	}
}
