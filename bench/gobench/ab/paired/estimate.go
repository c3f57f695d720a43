package paired

import (
	"math"
	"sort"
)

// shift estimates by how much new is more than old: the median of the differences of all new
// figures from all old ones, at which the test finds least to say against (J. L. Hodges, E. L.
// Lehmann, Estimates of location based on rank tests, 1963).
func (r rounds) shift() float64 {
	if r.same {
		return r.sameDistance
	}
	pairs := len(r.old) * len(r.old)
	low := r.difference((pairs - 1) / 2)
	if pairs%2 == 1 {
		return low
	}
	return low + (r.difference(pairs/2)-low)/2
}

// interval returns the bounds within which are the shifts that the test does not reject at that
// level. They are infinite if it can reject none, there being too few rounds. As the statistic
// changes only at the differences of new figures from old ones, a bound is one of them: the first
// that is rejected.
func (r rounds) interval(level float64) (lo, hi float64) {
	n := len(r.old)
	if leastP(n) > level {
		return math.Inf(-1), math.Inf(1)
	}
	last := n*n - 1
	kept := func(number int) bool { return r.p(r.difference(number), stepsOfInterval) > level }
	// differences that are too low
	below := sort.Search(last/2, kept)
	above := sort.Search(last/2, func(i int) bool { return kept(last - i) }) // and too high
	return r.difference(max(0, below-1)), r.difference(min(last, last-above+1))
}

// detectable returns the shift that a test of that level finds with a probability of about 80%:
// what it needs with the spread that these rounds have, and 0.84 standard errors more. It is given
// the half of the interval's width at [Confidence].
func (r rounds) detectable(level, half95 float64) float64 {
	lo, hi := r.interval(level)
	if math.IsInf(hi, 1) {
		return hi
	}
	const normal80, normal975 = 0.8416212335729143, 1.959963984540054
	return (hi-lo)/2 + normal80*half95/normal975
}
