package paired

import (
	"fmt"
	"math"
)

// Confidence is that of the interval of a [Finding].
const Confidence = 0.95

// MinRounds is the number of rounds from which an interval of that confidence exists: 2·2^-n must
// not be more than 1-Confidence.
const MinRounds = 6

// Options says what a comparison is to find, and how often it may be wrong.
type Options struct {
	Threshold float64 // the least relative change that matters, 0.03 for 3%; at least 0
	// the probability that the comparison, with all of its looks, calls a change where there is
	// none; between 0 and 1
	Alpha float64
}

// Test is one comparison of two sides, to which rounds are added until it is decided. It is not
// safe for concurrent use.
type Test struct {
	options  Options
	schedule schedule
	old, new []float64
	last     *Finding // once there is one
}

// Finding is what the rounds up to now show. No field is ever NaN. Changes are relative to old:
// 0.06 is 6% more.
type Finding struct {
	Change float64 // the estimate: +Inf or -Inf if old is 0 and new is not
	// its interval of 95%; -1 (-Inf where figures are not all positive) and +Inf with fewer than
	// MinRounds rounds
	Lo, Hi float64
	// at most Options.Alpha if and only if the change is significant, the other looks being allowed
	// for; not more than 1
	P float64
	// the relative change that would have been found significant with a probability of about 80%;
	// +Inf if there are too few rounds for any; 0 without noise
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
// comparison; between looks it returns false at once. The answer is decided if the change is
// significant and its estimate beyond the threshold, or if the interval lies within the threshold.
// A look takes about 1 ms at 75 rounds, 10 ms at 400 and 1 s at 10,000, which are more than a test
// is meant for.
//
// Look is to be called after every Add: a look that is left out is lost. Whoever wants no early
// stopping does not call it.
func (t *Test) Look() (f Finding, decided bool) {
	level, ok := t.schedule.look(t.Rounds())
	if !ok {
		return Finding{}, false
	}
	f = t.find(level)
	within := max(math.Abs(f.Lo), math.Abs(f.Hi)) <= t.options.Threshold
	return f, within || f.P <= t.options.Alpha && math.Abs(f.Change) > t.options.Threshold
}

// Last is the last look, at the end of the budget, with the share of alpha that was kept for it.
// Further calls return the same.
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
