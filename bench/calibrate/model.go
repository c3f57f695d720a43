package calibrate

import "math"

// atMost stores the probabilities of at most k = 0 to f of f bits, where each has the probability
// p: the cumulative binomial distribution. It goes by logarithms, so that 4,096 bits do not
// underflow.
func atMost(dst []float64, p float64) {
	f := len(dst) - 1
	switch {
	case p <= 0:
		for k := range dst {
			dst[k] = 1
		}
		return
	case p >= 1:
		clear(dst)
		dst[f] = 1
		return
	}
	logarithm, odds, sum := float64(f)*math.Log1p(-p), math.Log(p)-math.Log1p(-p), 0.0
	for k := range dst {
		sum += math.Exp(logarithm)
		dst[k] = min(1, sum)
		logarithm += math.Log(float64(f-k)/float64(k+1)) + odds
	}
	dst[f] = 1
}

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
		atMost(cumulative, p)
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
	m.deviation = math.Sqrt(max(0, f*within/n+f*f*(squares/n-(sum/n)*(sum/n))))
	return m
}
