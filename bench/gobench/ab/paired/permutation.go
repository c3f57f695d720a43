package paired

import (
	"math"
	"slices"
)

// How many steps it may take to compute the distribution of the statistic: about a nanosecond each.
// With more, the normal distribution stands for it.
const (
	stepsOfTest     = 4_000_000 // once in a look: up to some 200 rounds
	stepsOfInterval = 40_000    // for each of some 40 shifts: up to some 40 rounds
)

// p returns the two-sided p value of the hypothesis that new is old and that shift, to be rejected
// if it is small. The statistic is the sum of the ranks of new among all figures of both sides.
// Were the hypothesis true, then each round could as well have had its two figures the other way
// round: so the distribution is that of the very ranks that there are, exchanged within rounds by
// fair coins.
func (r rounds) p(shift float64, steps int) float64 {
	weights, positive := r.weights(shift)
	total := 0
	for _, w := range weights {
		total += w
	}
	least := min(positive, total-positive)
	if float64(len(weights))*float64(least+1) > float64(steps) {
		return min(1, 2*normalTail(weights, least))
	}
	slices.Sort(weights)
	return min(1, 2*exactTail(weights, least))
}

// leastP returns the least p value that this many rounds can have.
func leastP(rounds int) float64 { return math.Ldexp(2, -rounds) }

// weights returns by how many ranks the figures of a round differ if new is less by that shift,
// rounds without a difference being left out, and the sum of those in which new has the higher one.
// Equal figures have the mean of their ranks; all is doubled where that is no integer.
func (r rounds) weights(shift float64) (weights []int, positive int) {
	n := len(r.old)
	differences := make([]int, n) // doubled
	odd := false
	for i, j := 0, 0; i < n || j < n; {
		value := math.Inf(1)
		if i < n {
			value = r.old[i].figure
		}
		if j < n {
			value = min(value, r.new[j].figure-shift)
		}
		firstOld, firstNew := i, j
		for i < n && r.old[i].figure == value {
			i++
		}
		for j < n && r.new[j].figure-shift == value {
			j++
		}
		rank := firstOld + firstNew + i + j + 1
		for _, s := range r.old[firstOld:i] {
			differences[s.round] -= rank
		}
		for _, s := range r.new[firstNew:j] {
			differences[s.round] += rank
		}
	}
	for _, d := range differences {
		odd = odd || d%2 != 0
	}
	for _, d := range differences {
		if !odd {
			d /= 2
		}
		if d > 0 {
			positive += d
		}
		if d != 0 {
			weights = append(weights, max(d, -d))
		}
	}
	return weights, positive
}

// exactTail returns the probability that the weights that fair coins draw, each once at most, sum
// to no more than that. It is fastest if they are in ascending order.
func exactTail(weights []int, sum int) float64 {
	p := make([]float64, sum+1) // of each sum, by the weights up to now
	p[0] = 1
	reached := 0
	for _, w := range weights {
		reached = min(sum, reached+w)
		for s := reached; s >= w; s-- {
			p[s] = 0.5 * (p[s] + p[s-w])
		}
		for s := range min(w, reached+1) {
			p[s] *= 0.5
		}
	}
	tail := 0.0
	for _, v := range p {
		tail += v
	}
	return tail
}

// normalTail is what the normal distribution says of exactTail.
func normalTail(weights []int, sum int) float64 {
	total, squares := 0.0, 0.0
	for _, w := range weights {
		total += float64(w)
		squares += float64(w) * float64(w)
	}
	z := (float64(sum) + 0.5 - total/2) / (math.Sqrt(squares) / 2)
	return 0.5 * math.Erfc(-z/math.Sqrt2)
}
