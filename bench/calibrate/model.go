package calibrate

import (
	"math"

	"simhashkit/internal/binomial"
)

// prediction is what the model says of some pairs: of how many pairs the distance is at most k, and
// the moments of the distance.
type prediction struct {
	pairs           uint64
	within          []float64 // [k]
	mean, deviation float64
}

// predict applies the model to the bins from one up to, but not including, another.
func (s *survey[W]) predict(c *counts, bits, from, to int) prediction {
	m := prediction{within: make([]float64, bits+1)}
	cumulative := make([]float64, bits+1)
	var sum, squares, within float64
	for bin := max(from, 1); bin < to; bin++ {
		n := float64(c.bins[bin])
		if n == 0 {
			continue
		}
		p := math.Acos(max(-1, min(1, c.sums[bin]/n))) / math.Pi
		if s.sets {
			p = (1 - c.sums[bin]/n) / 2
		}
		binomial.AtMost(cumulative, p)
		for k, x := range cumulative {
			m.within[k] += float64(n * x)
		}
		m.pairs += c.bins[bin]
		sum += float64(n * p)
		squares += float64(n * p * p)
		within += float64(n * p * (1 - p))
	}
	if m.pairs == 0 {
		return m
	}
	n, f := float64(m.pairs), float64(bits)
	m.mean = f * sum / n
	m.deviation = math.Sqrt(max(0, f*within/n+float64(f*f*(squares/n-float64((sum/n)*(sum/n))))))
	return m
}
