// Package paired tests from runs of two sides, taken in turn, whether one is slower, and says so as
// soon as that is clear.
//
// A [Test] is one comparison: one benchmark, one unit. A round is one process run of each side, one
// right after the other, in an order that a fair coin decides. A run gives one figure. [Test.Add]
// adds a round, [Test.Look] says whether it decides the comparison, and [Test.Last] what is known
// when time is up.
//
// If nothing has changed, the two runs of a round could as well have been called the other way
// round, whatever drift, outliers, autocorrelation or modes there are: no model of the noise is
// needed. The statistic is the sum of the ranks of new among all runs of both sides. Its
// distribution is that of the same figures exchanged within rounds by coins, in all 2^n ways:
// computed exactly up to some 200 rounds, normal beyond. It is the rank sum test for paired data of
// F. C. T. Lam and M. T. Longnecker (Biometrika 70, 1983) with the distribution of a permutation
// test. Unlike Wilcoxon's signed-rank test it does not suffer from processes that are fast or slow
// for as long as they live.
//
// The estimate is the median of the differences of all new from all old runs (J. L. Hodges, E. L.
// Lehmann, Estimates of location based on rank tests, 1963). The interval holds the shifts that the
// test does not reject. Both are of logarithms or, where a figure is not positive, of plain
// differences relative to the median of old.
//
// There are looks at certain numbers of rounds only, each with a part of alpha that is fixed
// beforehand: a half is kept for the last look, and the k-th of the others has 1/(k(k+1)) of the
// rest. So alpha bounds the probability of any false alarm, however the looks depend on each other.
// A P is scaled by the share of its look, to be compared with the whole alpha. For m comparisons,
// divide alpha by m.
//
// A comparison is decided by a change that is significant with an estimate beyond the threshold, or
// by an interval of 95% within the threshold: a change of twice the threshold would have to lie
// outside of the interval by half of its width. README.md of gobench has measured error rates.
package paired

import "math"

const (
	Confidence = 0.95 // of the interval of a [Finding]
	MinRounds  = 6    // from which such an interval exists: 2·2^-n ≤ 1-Confidence
)

// Options says what a comparison is to find, and how often it may be wrong.
type Options struct {
	Threshold float64 // the least relative change that matters, 0.03 for 3%; at least 0
	Alpha     float64 // of any change where there is none; between 0 and 1
}

// Test is one comparison, to which rounds are added until it is decided; not for concurrent use.
type Test struct {
	options  Options
	schedule schedule
	old, new []float64
}

// Finding is what the rounds show. No field is NaN. Changes are relative to old: 0.06 is 6% more.
type Finding struct {
	Change float64 // the estimate: +Inf or -Inf if old is 0 and new is not
	// its interval of 95%; infinite with fewer than MinRounds rounds
	Lo, Hi     float64
	P          float64 // at most Options.Alpha if and only if the change is significant
	Detectable float64 // change found with a probability of about 80%; 0 without noise
	Noise      bool    // false if old and new were equal in every one of at least MinRounds rounds
}

// New returns a comparison without any rounds.
func New(o Options) *Test {
	return &Test{options: o, schedule: newSchedule(o.Alpha)}
}

// Add adds the figures of a round, which must be finite.
func (t *Test) Add(old, new float64) { t.old, t.new = append(t.old, old), append(t.new, new) }

// Rounds returns how many rounds were added.
func (t *Test) Rounds() int { return len(t.old) }

// Look says at a scheduled number of rounds what they show, and whether that decides the
// comparison; between looks it returns false at once. It decides if the change is significant and
// its estimate beyond the threshold, or if the interval lies within the threshold. It is fast up to
// some hundred rounds.
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

// Last is the last look, at the end of the budget.
func (t *Test) Last() Finding { return t.find(t.schedule.last()) }

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

// Other looks change the rounds to a decision by a fifth, and hardly what is found.
const (
	firstLook = 7    // rounds
	growth    = 1.25 // rounds from look to look: 7, 9, 12, 15, 19, 24, 30, 38, 48, 60 ...
	lastShare = 0.5  // of alpha: what is kept for the last look, however many there were
)

// schedule says when to look, and what part of alpha each look may spend. It depends on alpha
// alone: so the sum of what is spent bounds the probability of any false alarm.
type schedule struct {
	alpha  float64
	rounds int // of the next look
	spent  int // how many looks had a level
}

func newSchedule(alpha float64) schedule { return schedule{alpha: alpha, rounds: firstLook} }

// look returns the level of the look at that number of rounds; 0 with too few rounds.
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

func (s *schedule) last() float64 { return s.alpha * lastShare }
