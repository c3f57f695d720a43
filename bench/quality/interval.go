package quality

import (
	"math"
	"slices"
)

const (
	resamples       = 1000
	leastToResample = 10 // keyings; below, an interval would be a guess
	tail            = 0.025
)

// ratioInterval returns mean(a)/mean(b) with its 95 % interval: a bootstrap of the studentised
// logarithm of the ratio, a and b resampled each for itself (Efron and Tibshirani 1993, section
// 12.5). The logarithm makes the ratio symmetric, and studentising puts right the skewness that
// squared errors have, which percentiles of the ratio itself would not. extra2 is the squared
// standard error that the logarithm has besides, which resampling does not see. All values of a and
// b must be positive and finite.
func ratioInterval(a, b []float64, extra2 float64, r random) Interval {
	value, deviation := logRatio(summarise(a, nil), summarise(b, nil))
	pivots := make([]float64, resamples)
	ia, ib := make([]int, len(a)), make([]int, len(b))
	for i := range pivots {
		again, spread := logRatio(summarise(a, draw(ia, r)), summarise(b, draw(ib, r)))
		if spread > 0 {
			pivots[i] = (again - value) / spread
		}
	}
	slices.Sort(pivots)
	deviation = math.Sqrt(float64(deviation*deviation) + extra2)
	at := int(tail * resamples)
	low, high := pivots[at], pivots[resamples-1-at]
	return Interval{bounded(value), bounded(value - float64(high*deviation)), bounded(value - float64(low*deviation))}
}

// bounded is e^x, which stays finite.
func bounded(x float64) float64 { return math.Exp(max(-500, min(500, x))) }

func (i Interval) times(x float64) Interval { return Interval{i.Value * x, i.Low * x, i.High * x} }

// draw stores numbers of places, drawn with replacement.
func draw(places []int, r random) []int {
	for i := range places {
		places[i] = int(r.below(uint64(len(places))))
	}
	return places
}

// summary is the mean of a sample and the squared standard error of that mean.
type summary struct{ mean, error2 float64 }

// summarise takes the values at the places, or all.
func summarise(values []float64, places []int) summary {
	n, sum, squares := float64(len(values)), 0.0, 0.0
	for i, x := range values {
		if places != nil {
			x = values[places[i]]
		}
		sum += x
	}
	mean := sum / n
	for i, x := range values {
		if places != nil {
			x = values[places[i]]
		}
		squares += float64((x - mean) * (x - mean))
	}
	return summary{mean, squares / (n * (n - 1))}
}

// logRatio returns the logarithm of the ratio of two means and its standard error, by the delta
// method.
func logRatio(a, b summary) (value, deviation float64) {
	return math.Log(a.mean / b.mean), math.Sqrt(a.error2/float64(a.mean*a.mean) + b.error2/float64(b.mean*b.mean))
}
