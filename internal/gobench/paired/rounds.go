package paired

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// rounds holds figures that were taken in pairs, scaled so that differences are relative changes.
type rounds struct {
	old, new     []side
	relative     func(difference float64) float64
	same         bool // all rounds have the same difference, sameDistance
	sameDistance float64
}

// side is a figure of one side, and the number of its round.
type side struct {
	figure float64
	round  int
}

// newRounds sorts the figures. It uses logarithms if all figures are positive, and otherwise
// figures relative to the median of old.
func newRounds(old, new []float64) rounds {
	var r rounds
	var scale func(float64) float64
	if min(slices.Min(old), slices.Min(new)) > 0 {
		scale, r.relative = math.Log, math.Expm1
	} else {
		// Divide by the largest, since differences of large figures would overflow.
		largest := max(slices.Max(old), -slices.Min(old), slices.Max(new), -slices.Min(new), math.SmallestNonzeroFloat64)
		scale = func(v float64) float64 { return v / largest }
		r.relative = func(difference float64) float64 {
			if difference == 0 {
				return 0 // not 0/0
			}
			return difference / math.Abs(r.old[len(r.old)/2].figure)
		}
	}
	r.same = true
	for i := range old {
		a, b := scale(old[i]), scale(new[i])
		if i == 0 {
			r.sameDistance = b - a
		}
		r.same = r.same && b-a == r.sameDistance
		r.old, r.new = append(r.old, side{a, i}), append(r.new, side{b, i})
	}
	for _, s := range [][]side{r.old, r.new} {
		slices.SortFunc(s, func(a, b side) int { return cmp.Compare(a.figure, b.figure) })
	}
	return r
}

// difference returns the differences of new from old figures by their number in ascending order,
// from 0. It does a binary search over the floating-point numbers between the smallest and the
// largest.
func (r rounds) difference(number int) float64 {
	n := len(r.old)
	low, high := key(r.new[0].figure-r.old[n-1].figure), key(r.new[n-1].figure-r.old[0].figure)
	for low < high {
		middle := low + (high-low)/2
		if r.differencesUpTo(fromKey(middle)) > number {
			high = middle
		} else {
			low = middle + 1
		}
	}
	if d := fromKey(low); d != 0 {
		return d
	}
	return 0 // not -0, which is equal but has a smaller key
}

// differencesUpTo counts the differences that are at most x.
func (r rounds) differencesUpTo(x float64) int {
	count, j := 0, 0
	for _, a := range r.old {
		for j < len(r.new) && r.new[j].figure-a.figure <= x {
			j++
		}
		count += j
	}
	return count
}

// key returns an integer such that keys have the same order as the numbers.
func key(x float64) uint64 {
	bits := math.Float64bits(x)
	if bits>>63 == 1 {
		return ^bits
	}
	return bits | 1<<63
}

func fromKey(k uint64) float64 {
	if k>>63 == 1 {
		return math.Float64frombits(k &^ (1 << 63))
	}
	return math.Float64frombits(^k)
}

// shift estimates by how much new exceeds old: the median of the differences of all new figures
// from all old ones (Hodges and Lehmann 1963).
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

// interval returns the bounds of the shifts that the test does not reject at the level, or infinite
// bounds if there are too few rounds. The statistic changes only at the differences of new from old
// figures, so each bound is the first difference that is rejected.
func (r rounds) interval(level float64) (lo, hi float64) {
	n := len(r.old)
	if leastP(n) > level {
		return math.Inf(-1), math.Inf(1)
	}
	last := n*n - 1
	kept := func(number int) bool { return r.p(r.difference(number), stepsOfInterval) > level }
	// the number of differences that are too low
	below := sort.Search(last/2, kept)
	above := sort.Search(last/2, func(i int) bool { return kept(last - i) }) // and of those that are too high
	return r.difference(max(0, below-1)), r.difference(min(last, last-above+1))
}

// detectable returns the shift that a test of the level finds with a probability of about 80%: half
// of the interval at the level, and 0.84 standard errors. half95 is half of the interval at
// [Confidence].
func (r rounds) detectable(level, half95 float64) float64 {
	lo, hi := r.interval(level)
	if math.IsInf(hi, 1) {
		return hi
	}
	const normal80, normal975 = 0.8416212335729143, 1.959963984540054
	return (hi-lo)/2 + normal80*half95/normal975
}

// Limits of the steps to compute the distribution of the statistic. Beyond them, a normal
// distribution is used.
const (
	stepsOfTest     = 4_000_000 // for one test per look: enough for some 200 rounds
	stepsOfInterval = 40_000    // for each of some 40 shifts per look: enough for some 40 rounds
)

// p returns the two-sided p value of the hypothesis that new is old plus the shift. The statistic
// is the sum of the ranks of new among all figures. If the hypothesis is true, exchanging the ranks
// within each round at random does not change the distribution.
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
	slices.Sort(weights) // exactTail is fastest in ascending order
	return min(1, 2*exactTail(weights, least))
}

// leastP returns the smallest possible p value for this number of rounds.
func leastP(rounds int) float64 { return math.Ldexp(2, -rounds) }

// weights returns the nonzero absolute differences of the ranks of each round after subtracting the
// shift from new, and the sum of those in which new has the higher rank. Equal figures have the
// mean of their ranks. If a difference is not an integer, all are doubled.
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

// exactTail returns the probability that the sum of a random subset of the weights is at most sum.
func exactTail(weights []int, sum int) float64 {
	p := make([]float64, sum+1) // probability of each sum of the weights so far
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

func normalTail(weights []int, sum int) float64 {
	total, squares := 0.0, 0.0
	for _, w := range weights {
		total += float64(w)
		squares += float64(w) * float64(w)
	}
	z := (float64(sum) + 0.5 - total/2) / (math.Sqrt(squares) / 2)
	return 0.5 * math.Erfc(-z/math.Sqrt2)
}
