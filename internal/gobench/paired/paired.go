// Package paired tests whether one of two sides is slower, from runs in random order, and stops as
// soon as this is clear.
//
// A [Test] is one comparison: one benchmark, one unit. A round is one process run of each side,
// back to back, in random order. A run gives one figure. [Test.Look] reports whether the rounds so
// far decide the comparison, and [Test.Last] returns the finding at the end of the budget.
//
// If nothing has changed, both assignments of the two figures of a round to the sides are equally
// likely, in spite of drift, outliers, autocorrelation or several modes. No model of the noise is
// needed. The statistic is the sum of the ranks of the new figures among all figures. Its
// distribution is that of a permutation test, which exchanges the figures within rounds in all 2^n
// ways. It is exact up to some 200 rounds, and approximated by a normal distribution beyond. The
// rank sum test for paired data is by F. C. T. Lam and M. T. Longnecker (Biometrika 70, 1983).
// Unlike Wilcoxon's signed-rank test, it keeps its power if processes differ in speed.
//
// The estimate is the median of the differences between all new and all old figures (J. L. Hodges,
// E. L. Lehmann, Estimates of location based on rank tests, 1963). The interval contains the shifts
// that the test does not reject. Both use logarithms or, if a figure is not positive, differences
// relative to the median of old.
//
// Look tests only at certain numbers of rounds. Each look has a part of alpha that is fixed
// beforehand. Therefore alpha bounds the probability of any false alarm, even though the looks are
// dependent. P values are scaled by the share of their look, for comparison with the whole alpha.
// For m comparisons, divide alpha by m.
//
// A comparison is decided by a significant change whose estimate is beyond the threshold, or by a
// 95% interval within the threshold. README.md of gobench has measured error rates.
package paired

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

const (
	Confidence = 0.95 // confidence level of the interval of a [Finding]
	MinRounds  = 6    // smallest number of rounds n with such an interval: 2·2^-n ≤ 1-Confidence
)

// Options defines the changes that a comparison looks for, and its error rate.
type Options struct {
	Threshold float64 // the smallest relative change that matters, such as 0.03 for 3%; at least 0
	Alpha     float64 // probability of a false alarm, between 0 and 1
}

// Figures has the figures of each round, which must be finite.
type Figures struct{ Old, New []float64 }

// Add adds a round.
func (f *Figures) Add(old, new float64) { f.Old, f.New = append(f.Old, old), append(f.New, new) }

// Test is a comparison that is tested until it is decided. It is not safe for concurrent use.
type Test struct {
	options Options
	next    int // number of rounds of the next look
	spent   int // number of looks with a level above 0
}

// Finding is the result of the rounds so far. No field is NaN. Changes are relative to old: 0.06
// means 6% more.
type Finding struct {
	Change float64 // the estimate; +Inf or -Inf if old is 0 and new is not
	// 95% interval of Change; infinite with fewer than MinRounds rounds
	Lo, Hi     float64
	P          float64 // at most Options.Alpha if and only if the change is significant
	Detectable float64 // change that is found with a probability of about 80%; 0 without noise
	Noise      bool    // false if old and new are equal in each of at least MinRounds rounds
}

// New returns a comparison that has not been tested yet.
func New(o Options) *Test { return &Test{options: o, next: firstLook} }

// Alpha returns the probability of a false alarm.
func (t *Test) Alpha() float64 { return t.options.Alpha }

// Needed returns the smallest number of rounds after which Last can find a change.
func Needed(alpha float64) int {
	n := MinRounds
	for leastP(n) > alpha*lastShare {
		n++
	}
	return n
}

// Look returns the finding at a scheduled number of rounds, and whether it decides the comparison.
// At other numbers of rounds, it returns false at once. A finding decides if the change is
// significant and its estimate is beyond the threshold, or if the interval is within the threshold.
// Look is fast up to some hundred rounds.
//
// Call Look after every round: the looks after a skipped one are lost.
func (t *Test) Look(all Figures) (f Finding, decided bool) {
	level, ok := t.level(len(all.Old))
	if !ok {
		return Finding{}, false
	}
	f = t.find(all, level)
	within := max(math.Abs(f.Lo), math.Abs(f.Hi)) <= t.options.Threshold
	return f, within || f.P <= t.options.Alpha && math.Abs(f.Change) > t.options.Threshold
}

// Last returns the finding of the last look, at the end of the budget.
func (t *Test) Last(all Figures) Finding { return t.find(all, lastShare*t.options.Alpha) }

// find tests at a level, which is this look's share of alpha; 0 means none.
func (t *Test) find(all Figures, level float64) Finding {
	f := Finding{Lo: math.Inf(-1), Hi: math.Inf(1), P: 1, Detectable: math.Inf(1), Noise: true}
	n := len(all.Old)
	if n == 0 {
		return f
	}
	r := newRounds(all.Old, all.New)
	f.Change = r.relative(r.shift())
	if level > 0 {
		f.P = min(1, r.p(0, stepsOfTest)*(t.options.Alpha/level))
	}
	lo, hi := r.interval(1 - Confidence)
	f.Lo, f.Hi = r.relative(lo), r.relative(hi)
	f.Detectable = r.relative(r.detectable(level, (hi-lo)/2))
	if r.same && n >= MinRounds {
		f.Lo, f.Hi = f.Change, f.Change
		f.Noise = f.Change != 0
		if !f.Noise || leastP(n) <= level {
			f.Detectable = 0
		}
	}
	return f
}

// Other schedules change the number of rounds to a decision by up to a fifth, and the results
// hardly. A schedule depends only on alpha and not on the figures, so the sum of the levels of all
// looks bounds the probability of any false alarm.
const (
	firstLook = 7    // rounds
	growth    = 1.25 // growth of rounds between looks: 7, 9, 12, 15, 19, 24, 30, 38, 48, 60 ...
	lastShare = 0.5  // share of alpha that is reserved for the last look
)

// level reports whether there is a look at this number of rounds, and returns the part of alpha
// that it spends: 0 if there are too few rounds. The k-th look with a level has 1/(k(k+1)) of the
// part for all looks but the last; these fractions sum to 1.
func (t *Test) level(rounds int) (level float64, ok bool) {
	if rounds != t.next {
		return 0, false
	}
	t.next = int(math.Ceil(growth * float64(rounds)))
	k := float64(t.spent + 1)
	level = t.options.Alpha * (1 - lastShare) / (k * (k + 1))
	if leastP(rounds) > level {
		return 0, true
	}
	t.spent++
	return level, true
}

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
