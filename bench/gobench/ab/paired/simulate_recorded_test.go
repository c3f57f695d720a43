package paired

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"golang.org/x/perf/benchmath"
)

// noisy reports whether the runs of a benchmark differ by a standard deviation of at least 1%.
func (b recorded) noisy() bool {
	mean, squares := 0.0, 0.0
	for _, m := range b.medians {
		mean += math.Log(m) / float64(len(b.medians))
	}
	for _, m := range b.medians {
		squares += math.Pow(math.Log(m)-mean, 2) / float64(len(b.medians)-1)
	}
	return math.Sqrt(squares) >= 0.01
}

// drawn returns the numbers of two runs.
func (b recorded) drawn(random *rand.Rand) (i, j int) {
	i, j = random.IntN(len(b.medians)), random.IntN(len(b.medians)-1)
	if j >= i {
		j++
	}
	return i, j
}

// slower is what makes figures of a benchmark that much slower.
func (b recorded) slower(factor float64) float64 {
	if b.rate {
		return 1 / factor
	}
	return factor
}

// outcome counts comparisons of one kind.
type outcome struct{ comparisons, called, unchanged, rounds int }

func (o outcome) share(n int) float64 { return 100 * float64(n) / float64(o.comparisons) }

func (o outcome) String() string {
	return fmt.Sprintf("%d: %.2f%% called, %.2f%% no change, %.1f rounds", o.comparisons, o.share(o.called), o.share(o.unchanged), float64(o.rounds)/float64(o.comparisons))
}

// compare draws rounds of recorded runs, new being slower by that factor, and counts what comes
// out.
func (o *outcome) compare(t *testing.T, b recorded, options Options, factor float64, budget int, random *rand.Rand) {
	factor = b.slower(factor)
	f, rounds := decide(t, options, budget, func() (old, new float64) {
		i, j := b.drawn(random)
		return b.medians[i], b.medians[j] * factor
	})
	o.comparisons++
	o.rounds += rounds
	switch {
	case calls(f, options):
		o.called++
	case f.P > options.Alpha && max(math.Abs(f.Lo), math.Abs(f.Hi)) <= options.Threshold:
		o.unchanged++
	}
}

// Of runs of one program, 12 of whose benchmarks differ from process to process: nearly nothing is
// called that is not there, and what is there is found. budget is of rounds, family of comparisons
// among which alpha is divided.
func TestRecordedRuns(t *testing.T) {
	list := readRecorded(t)
	isNoisy := 0
	for _, b := range list {
		if b.noisy() {
			isNoisy++
		}
	}
	t.Logf("%d of %d benchmarks are noisy", isNoisy, len(list))
	for _, family := range []int{1, 51} {
		options := Options{Threshold: 0.03, Alpha: 0.02 / float64(family)}
		// percent
		for _, tc := range []struct{ budget, found6, found10 int }{{20, 85, 85}, {30, 95, 95}, {60, 97, 99}, {75, 98, 99}, {100, 98, 99}, {150, 98, 99}} {
			random := rand.New(rand.NewPCG(uint64(family), uint64(tc.budget)))
			n := trials(t, 300)
			if tc.budget == 75 {
				n = trials(t, 2000)
			}
			for _, kind := range []struct {
				factor float64
				least  int
			}{{1, 0}, {1.06, tc.found6}, {1.1, tc.found10}} {
				var all, ofNoisy outcome
				for i := range n {
					b := list[i%len(list)]
					all.compare(t, b, options, kind.factor, tc.budget, random)
					if b.noisy() {
						ofNoisy.compare(t, b, options, kind.factor, tc.budget, random)
					}
				}
				t.Logf("%d comparisons a run, %d rounds, %.2f times: %v; noisy ones %v", family, tc.budget, kind.factor, all, ofNoisy)
				if kind.factor == 1 && all.share(all.called) > 2 {
					t.Errorf("%.2f%% false alarms, at most 2%% may be", all.share(all.called))
				}
				if kind.factor > 1 && all.share(all.called) < float64(kind.least) {
					t.Errorf("%.2f%% are found, at least %d%% were expected", all.share(all.called), kind.least)
				}
				if kind.factor > 1 && all.share(all.unchanged+ofNoisy.unchanged) > 0.2 {
					t.Errorf("of %.2f%% it is said that nothing has changed", all.share(all.unchanged))
				}
			}
		}
	}
}

// What most people do: one file of 10 samples of each side, and an alarm where benchstat says p <
// 0.05.
func TestNaiveOnRecordedRuns(t *testing.T) {
	list := readRecorded(t)
	random := rand.New(rand.NewPCG(3, 3))
	n := trials(t, 2000)
	for _, factor := range []float64{1, 1.06, 1.1} {
		called := 0
		for i := range n {
			b := list[i%len(list)]
			old, new := b.drawn(random)
			var slower []float64
			for _, v := range b.samples[new] {
				slower = append(slower, v*b.slower(factor))
			}
			c := benchmath.AssumeNothing.Compare(benchmath.NewSample(b.samples[old], &benchmath.DefaultThresholds), benchmath.NewSample(slower, &benchmath.DefaultThresholds))
			if c.P < 0.05 && (factor == 1 || (median(slower) > median(b.samples[old])) == !b.rate) {
				called++
			}
		}
		share := 100 * float64(called) / float64(n)
		t.Logf("%.2f times: %.2f%% called", factor, share)
		if factor == 1 && share < 5 {
			t.Errorf("%.2f%% false alarms: too good, as a yardstick", share)
		}
	}
}
