package calibrate

import (
	"math"
	"slices"

	"simhashkit/internal/binomial"
)

// recalls are the steps for which thresholds are offered, besides the one that is wanted.
var recalls = []float64{0.5, 0.8, 0.9, 0.95, 0.99}

// OfWidth returns what fingerprints of that width do, and false where it was not tried.
func (c *Calibration) OfWidth(bits int) (Width, bool) {
	for _, w := range c.Widths {
		if w.Bits == bits {
			return w, true
		}
	}
	return Width{}, false
}

// Attainable returns the thresholds of a width among which to choose, in ascending order: the
// smallest k that find half, 80, 90, 95 and 99 % of the near-duplicates, and the recall that is
// wanted. There are none where there are no near-duplicates.
func (c *Calibration) Attainable(w Width) []Threshold {
	var list []Threshold
	for _, recall := range slices.Sorted(slices.Values(append(slices.Clone(recalls), c.Recall))) {
		if k := least(w.Thresholds, recall); k >= 0 && (len(list) == 0 || list[len(list)-1].K < k) {
			list = append(list, w.Thresholds[k])
		}
	}
	return list
}

// FoundAmong returns how many pairs would be found at a threshold in a collection of so many
// vectors of which these are a fair sample, besides copies.
func (c *Calibration) FoundAmong(t Threshold, vectors float64) float64 {
	pairs := c.Pairs - c.Copies
	if pairs == 0 {
		return 0
	}
	return t.Found / float64(pairs) * vectors * (vectors - 1) / 2
}

// Model returns the probability that the fingerprints of two vectors of a cosine differ in at most
// k = 0 to bits, by the model: an ideal hash, and many features.
func Model(bits int, cosine float64) []float64 {
	within := make([]float64, bits+1)
	binomial.AtMost(within, math.Acos(max(-1, min(1, cosine)))/math.Pi)
	return within
}

// ModelJaccard is Model for two sets of a Jaccard similarity, by MinHash.
func ModelJaccard(bits int, similarity float64) []float64 {
	within := make([]float64, bits+1)
	binomial.AtMost(within, (1-similarity)/2)
	return within
}
