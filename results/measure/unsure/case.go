package main

import (
	"math"
	"math/rand/v2"
	"strconv"

	"simhashkit/bench/gobench/benchname"
	"simhashkit/datasets"
	"simhashkit/fphash"
	"simhashkit/internal/portable"
)

// Pairs is how many pairs each case has by default: shares are then within 0.01 of what they
// stand for, in 99 of 100 cases.
const Pairs = 20_000

// Unsure is the first part of the names of all rows.
const Unsure = "Unsure"

// The kinds of weights, beside unit.
const (
	LogNormal = "lognormal" // spread as those of words are
	Outlier   = "outlier"   // the same, but one outweighs all others
)

// By what cosines are estimated: the values of by= in names.
const (
	ByDistance = "distance" // of two fingerprints
	BySums     = "sums"     // of the query, and the stored fingerprint
)

// Units, beside recall, pairs and cosine-bias.
const (
	Strangers  = "strangers"
	CosineRMSE = "cosine-rmse"
)

// Cosines are those of the pairs, as names have them, in descending order.
var Cosines = []string{"0.99", "0.98", "0.95", "0.90", "0.80"}

// Case is a kind of vectors, and the fingerprints that they get.
type Case struct {
	Family   fphash.Family
	Weights  string // datasets.Unit, LogNormal or Outlier
	Bits     int
	Features int
}

// Name returns the name that the rows of the case begin with:
// Unsure/hash=xxh64/weights=lognormal/f=64/nnz=100.
func (c Case) Name() benchname.Name {
	return benchname.New(Unsure, "hash", c.Family.Name, "weights", c.Weights, "f", strconv.Itoa(c.Bits), "nnz", strconv.Itoa(c.Features))
}

// quantum is what all weights are multiples of.
const quantum = 1.0 / 1024

func rounded(weight float64) float64 { return math.Round(weight/quantum) * quantum }

// outlierWeight makes a feature some four fifths of the squared length of a vector of a hundred.
const outlierWeight = 40

// weight draws the weight of feature i.
func (c Case) weight(r *rand.Rand, i int) float64 {
	switch {
	case c.Weights == datasets.Unit:
		return 1
	case c.Weights == Outlier && i == 0:
		return outlierWeight
	}
	// Spread as the weights of words are, counts times rarity.
	return max(quantum, rounded(portable.Exp(float64(0.8*r.NormFloat64()))))
}
