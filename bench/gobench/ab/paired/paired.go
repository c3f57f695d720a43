// Package paired tests from runs of two sides, taken in turn, whether one is slower, and says so as
// soon as that is clear.
//
// A [Test] is one comparison: one benchmark, one unit. A round is one process run of each side, one
// right after the other, in an order that a fair coin decides. A run gives one figure, such as the
// median of its samples. [Test.Add] adds a round, [Test.Look] says whether it decides the
// comparison, and [Test.Last] what is known when time is up.
//
// # The test
//
// If nothing has changed, the two runs of a round could as well have been called the other way
// round. The coin makes that so, whatever drift, outliers, autocorrelation or modes there are; no
// model of the noise is needed. The statistic is the sum of the ranks of new among all runs of both
// sides. Its distribution is that of the same figures exchanged within rounds by coins, in all 2^n
// ways: computed exactly up to some 200 rounds, normal beyond. It is the rank sum test for paired
// data of F. C. T. Lam and M. T. Longnecker (A modified Wilcoxon rank sum test for paired data,
// Biometrika 70, 1983) with the distribution of a permutation test.
//
// Wilcoxon's signed-rank test, the usual one for pairs, is as exact, but sees only differences
// within rounds. Where a process is fast or slow for as long as it lives, those are large in every
// other round. Of the recorded benchmark that has the most of that, 6% slower, at a level of 0.1%
// and 75 rounds, the signed-rank test found 40 of 100, the sign test 90, this one 100. Where rounds
// have a common drift that is much more than the noise, the signed-rank test finds more (6% slower,
// a level of 0.5%, a drift of 30% over 75 rounds: 94% against 93% with normal noise of 8%, 45%
// against 35% with modes that are 25% apart; without drift it is 45% against 83% there).
//
// The estimate is the median of the differences of all new from all old runs (J. L. Hodges, E. L.
// Lehmann, Estimates of location based on rank tests, 1963). The interval holds the shifts that the
// test does not reject. Both are of logarithms, since times and rates are compared by ratios; where
// a figure is not positive, of plain differences relative to the median of old.
//
// # Early stopping
//
// Testing at 2% again and again finds something in the end. So there are looks at certain numbers
// of rounds only, each with a part of alpha that is fixed beforehand: a half is kept for the last
// look, whose time is not known, and the k-th of the others has 1/(k(k+1)) of the rest. The
// probability of any false alarm is at most the sum, however the looks depend on each other. A P is
// scaled by the share of its look, to be compared with the whole alpha.
//
// A comparison is decided by a change that is significant with an estimate beyond the threshold, or
// by an interval of 95% within the threshold. The second hides little: a change of twice the
// threshold would have to lie outside of the interval by at least half of its width. Alpha is that
// of one comparison: for m comparisons, divide it by m.
//
// # What that is worth
//
// Measured on 41 runs of one program, 51 benchmarks, with rounds drawn from them, a threshold of
// 3%, and an alpha of 2% for a single comparison or for 51 of them (TestRecordedRuns; 2,000
// comparisons for 75 rounds, 300 for the others). Rounds are the mean number until the decision.
//
//	                nothing changed                  6% slower          10% slower
//	at most         alarms   no change   rounds      found   rounds     found   rounds
//	 1 × 20 rounds    0.0%       97.0%      8.0       98.7%      9.4      99.7%      9.2
//	 1 × 30           0.0%       99.7%      8.1      100.0%      9.6     100.0%      9.3
//	 1 × 75           0.0%      100.0%      8.1      100.0%      9.9     100.0%      9.5
//	51 × 20           0.0%       97.0%      7.8       97.3%     15.5      98.0%     15.1
//	51 × 30           0.0%       99.0%      8.0       99.3%     15.7      98.7%     15.3
//	51 × 75           0.0%      100.0%      8.2      100.0%     16.3     100.0%     15.9
//
// Of the 11 benchmarks alone whose runs differ by a standard deviation of 1% or more, 75 rounds
// found 429 and 428 of 429 slowdowns of 6%, with alpha for 1 and for 51. No slowdown was taken for
// no change. None of 200 unchanged runs of all 51 benchmarks raised an alarm. One file of 10
// samples a side and benchstat's p < 0.05, which is what most people do, called a change in 22.4%
// of the comparisons in which there was none, and found 97.0% and 98.5%.
//
// Rounds drawn from recorded runs leave out what one machine does to the next process; the whole
// command is measured with that.
package paired

import (
	"fmt"
	"math"
)

// Confidence is that of the interval of a [Finding].
const Confidence = 0.95

// MinRounds is the number of rounds from which such an interval exists: 2·2^-n ≤ 1-Confidence.
const MinRounds = 6

// Options says what a comparison is to find, and how often it may be wrong.
type Options struct {
	Threshold float64 // the least relative change that matters, 0.03 for 3%; at least 0
	// the probability of a change where there is none, over all looks; between 0 and 1
	Alpha float64
}

// Test is one comparison, to which rounds are added until it is decided; not for concurrent use.
type Test struct {
	options  Options
	schedule schedule
	old, new []float64
	last     *Finding // once there is one
}

// Finding is what the rounds show. No field is NaN. Changes are relative to old: 0.06 is 6% more.
type Finding struct {
	Change float64 // the estimate: +Inf or -Inf if old is 0 and new is not
	// its interval of 95%; infinite with fewer than MinRounds rounds, but Lo is -1 of positive
	// figures
	Lo, Hi float64
	// at most Options.Alpha if and only if the change is significant, all looks allowed for
	P float64
	// the change that would have been found with a probability of about 80%; 0 without noise
	Detectable float64
	Noise      bool // false if old and new were equal in every one of at least MinRounds rounds
}

// New returns a comparison without any rounds. It panics if an option is not in its range.
func New(o Options) *Test {
	if !(o.Threshold >= 0) || math.IsInf(o.Threshold, 1) || !(o.Alpha > 0 && o.Alpha < 1) {
		panic(fmt.Sprintf("paired: threshold %v, alpha %v: expected a threshold of at least 0, and an alpha between 0 and 1", o.Threshold, o.Alpha))
	}
	return &Test{options: o, schedule: newSchedule(o.Alpha)}
}

// Add adds a round: the figure of a run of the old side, and that of the new one. A figure that is
// not finite is an error, and the round does not count. It panics after Last.
func (t *Test) Add(old, new float64) error {
	if t.last != nil {
		panic("paired: Add after Last")
	}
	for _, v := range []float64{old, new} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("paired: round %d: old %v, new %v: expected finite figures", t.Rounds()+1, old, new)
		}
	}
	t.old, t.new = append(t.old, old), append(t.new, new)
	return nil
}

// Rounds returns how many rounds were added.
func (t *Test) Rounds() int { return len(t.old) }

// Look says at a scheduled number of rounds what they show, and whether that decides the
// comparison; between looks it returns false at once. It decides if the change is significant and
// its estimate beyond the threshold, or if the interval lies within the threshold. A look takes
// time proportional to the square of the rounds, and is meant for some hundred.
//
// Call it after every Add, or never: a look that is left out is lost.
func (t *Test) Look() (f Finding, decided bool) {
	level, ok := t.schedule.look(t.Rounds())
	if !ok {
		return Finding{}, false
	}
	f = t.find(level)
	within := max(math.Abs(f.Lo), math.Abs(f.Hi)) <= t.options.Threshold
	return f, within || f.P <= t.options.Alpha && math.Abs(f.Change) > t.options.Threshold
}

// Last is the last look, at the end of the budget. Further calls return the same.
func (t *Test) Last() Finding {
	if t.last == nil {
		f := t.find(t.schedule.last())
		t.last = &f
	}
	return *t.last
}

// find tests at a level, which is the share of alpha that this look has; 0: none.
func (t *Test) find(level float64) Finding {
	f := Finding{Lo: math.Inf(-1), Hi: math.Inf(1), P: 1, Detectable: math.Inf(1), Noise: true}
	if t.Rounds() == 0 {
		return f
	}
	r := newRounds(t.old, t.new)
	f.Change = r.relative(r.shift())
	if level > 0 {
		f.P = min(1, r.p(0, stepsOfTest)*(t.options.Alpha/level))
	}
	lo, hi := r.interval(1 - Confidence)
	f.Lo, f.Hi = r.relative(lo), r.relative(hi)
	f.Detectable = r.relative(r.detectable(level, (hi-lo)/2))
	if r.same && t.Rounds() >= MinRounds {
		f.Lo, f.Hi = f.Change, f.Change
		f.Noise = f.Change != 0
		if !f.Noise || leastP(t.Rounds()) <= level {
			f.Detectable = 0
		}
	}
	return f
}

// The looks. With the noise of recorded benchmarks as it is and four times that, other numbers
// changed the rounds to a decision by a fifth, and what is found hardly at all.
const (
	firstLook = 7 // rounds
	// of the number of rounds from look to look: 7, 9, 12, 15, 19, 24, 30, 38, 48, 60, 75, 94 ...
	growth    = 1.25
	lastShare = 0.5 // of alpha: what is kept for the last look, however many there were
)

// schedule says when to look, and what part of alpha each look may spend. It depends on alpha
// alone: so the sum of what is spent bounds the probability of any false alarm.
type schedule struct {
	alpha  float64
	rounds int // of the next look
	spent  int // how many looks had a level
}

func newSchedule(alpha float64) schedule { return schedule{alpha: alpha, rounds: firstLook} }

// look returns the level of the look at that number of rounds, 0 with too few rounds, if there is
// one.
func (s *schedule) look(rounds int) (level float64, ok bool) {
	for s.rounds < rounds { // nobody looked
		s.next()
	}
	if rounds != s.rounds {
		return 0, false
	}
	return s.next(), true
}

// next takes the next look and returns its level. The k-th look with a level has 1/(k(k+1)) of what
// there is for all but the last: these sum to 1.
func (s *schedule) next() float64 {
	k := float64(s.spent + 1)
	level := s.alpha * (1 - lastShare) / (k * (k + 1))
	if leastP(s.rounds) > level {
		level = 0
	} else {
		s.spent++
	}
	s.rounds = int(math.Ceil(growth * float64(s.rounds)))
	return level
}

// last returns the level of the last look.
func (s *schedule) last() float64 { return s.alpha * lastShare }
