package binomial

import "math"

// OfCosine returns the probability that the fingerprints of two vectors of a cosine differ in at
// most k = 0 to bits, by the model: an ideal hash, and many features.
func OfCosine(bits int, cosine float64) []float64 {
	within := make([]float64, bits+1)
	AtMost(within, math.Acos(max(-1, min(1, cosine)))/math.Pi)
	return within
}

// OfJaccard is OfCosine for two sets of a Jaccard similarity, by MinHash.
func OfJaccard(bits int, similarity float64) []float64 {
	within := make([]float64, bits+1)
	AtMost(within, (1-similarity)/2)
	return within
}
