package join

import (
	"sort"

	"simhashkit/internal/binomial"
)

// Threshold returns the smallest k such that fingerprints of that many bits, each of which differs
// with the probability differ, are within k with a probability of recall: the K of a join that is
// to find this share of the pairs of a similarity.
func Threshold(bits int, differ, recall float64) int {
	atMost := make([]float64, bits+1)
	binomial.AtMost(atMost, differ)
	return sort.Search(bits, func(k int) bool { return atMost[k] >= recall })
}

// within returns which share of the pairs asked for is within K, or 1 if none are asked for.
func (p *Plan) within() float64 {
	if p.differ == 0 || p.K >= p.Bits {
		return 1
	}
	atMost := make([]float64, p.Bits+1)
	binomial.AtMost(atMost, p.differ)
	return atMost[p.K]
}
