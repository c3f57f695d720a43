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

import "math"

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
