// Package binomial models the Hamming distance of two fingerprints whose bits differ independently,
// each with the same probability. It also counts the ways in which bits can differ.
package binomial

import (
	"fmt"
	"math"
	"sort"
)

// AtMost returns, for k = 0 to bits, the probability that at most k bits differ if each bit differs
// with probability p (the cumulative binomial distribution). It adds logarithms, so that 4,096 bits
// do not underflow.
func AtMost(bits int, p float64) []float64 {
	within := make([]float64, bits+1)
	switch {
	case p <= 0:
		for k := range within {
			within[k] = 1
		}
	case p < 1:
		logarithm, odds, sum := float64(bits)*math.Log1p(-p), math.Log(p)-math.Log1p(-p), 0.0
		for k := range within {
			sum += math.Exp(logarithm)
			within[k] = min(1, sum)
			logarithm += math.Log(float64(bits-k)/float64(k+1)) + odds
		}
	}
	within[bits] = 1
	return within
}

// Threshold returns the smallest k such that two fingerprints are within k bits with probability
// recall, if each of their bits differs with probability differ. It panics unless bits is positive,
// and differ and recall are 0 to 1.
func Threshold(bits int, differ, recall float64) int {
	if bits < 1 || !(differ >= 0 && differ <= 1) || !(recall >= 0 && recall <= 1) {
		panic(fmt.Sprintf("binomial: Threshold(%d, %v, %v): expected 1 bit or more, and differ and recall from 0 to 1", bits, differ, recall))
	}
	atMost := AtMost(bits, differ)
	return sort.Search(bits, func(k int) bool { return atMost[k] >= recall })
}

// Choose returns the binomial coefficient: the number of ways to choose k of n elements.
func Choose(n, k int) float64 {
	ways := 1.0
	for i := 1; i <= k; i++ {
		ways *= float64(n-k+i) / float64(i)
	}
	return ways
}

// Ball returns the number of bit patterns within Hamming distance k of a pattern of n bits.
func Ball(n, k int) (size float64) {
	for i := 0; i <= min(k, n); i++ {
		size += Choose(n, i)
	}
	return size
}

// Wilson returns the 95% confidence interval of a share observed in n independent cases (Wilson
// 1927).
func Wilson(share, n float64) (low, high float64) {
	const z = 1.959963984540054
	middle := (share + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(share*(1-share)/n+z*z/(4*n*n))
	return max(0, min(share, middle-half)), min(1, max(share, middle+half))
}

// OfCosine returns, for k = 0 to bits, the probability that the fingerprints of two vectors with
// this cosine differ in at most k bits. It assumes an ideal hash and many features.
func OfCosine(bits int, cosine float64) []float64 {
	return AtMost(bits, math.Acos(max(-1, min(1, cosine)))/math.Pi)
}
