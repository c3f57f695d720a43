package paired

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"simhashkit/internal/testing/long"
)

// noises generate noise for the logarithms of figures.
var noises = map[string]func(*rand.Rand) float64{
	"normal": func(r *rand.Rand) float64 { return 0.05 * r.NormFloat64() },
	"t2":     func(r *rand.Rand) float64 { return 0.03 * r.NormFloat64() / math.Sqrt(r.ExpFloat64()) },
	"outliers": func(r *rand.Rand) float64 {
		if r.IntN(8) == 0 {
			return 0.3 * r.Float64()
		}
		return 0.02 * r.NormFloat64()
	},
	"modes": func(r *rand.Rand) float64 { return 0.02*r.NormFloat64() + 0.25*float64(r.IntN(2)) },
	// discrete noise: figures are often equal
	"steps": func(r *rand.Rand) float64 { return 0.01 * float64(r.IntN(3)) },
}

// drifts are changes over the rounds of a comparison that both sides share: functions of a state
// and of the fraction of completed rounds.
var drifts = map[string]func(state, share float64, r *rand.Rand) float64{
	"none":   func(_, _ float64, _ *rand.Rand) float64 { return 0 },
	"linear": func(_, share float64, _ *rand.Rand) float64 { return 0.3 * share },
	"AR(1)":  func(state, _ float64, r *rand.Rand) float64 { return 0.9*state + 0.05*r.NormFloat64() },
	"a step": func(_, share float64, _ *rand.Rand) float64 { return 0.4 * math.Round(share) },
}

// decide adds rounds and calls Look after each, until the comparison is decided or the number of
// rounds is reached.
func decide(o Options, budget int, round func() (old, new float64)) (f Finding, rounds int) {
	test := New(o)
	var all Figures
	for n := range budget {
		all.Add(round())
		if f, decided := test.Look(all); decided {
			return f, n + 1
		}
	}
	return test.Last(all), budget
}

// calls reports whether the finding is a change: a regression or an improvement.
func calls(f Finding, o Options) bool { return f.P <= o.Alpha && math.Abs(f.Change) > o.Threshold }

// With any noise and drift, all looks together raise no more false alarms than alpha allows. Any
// significant difference counts as an alarm.
func TestFalseAlarmsWithLooks(t *testing.T) {
	o := Options{Threshold: 0, Alpha: 0.1}
	const budget = 30
	each, all, allAlarms := 100, 0, 0
	if !long.Enabled() {
		each = 25
	}
	check := func(name string, alarms, n int) {
		t.Logf("%s: %d of %d", name, alarms, n)
		if float64(alarms) > o.Alpha*float64(n)+3*math.Sqrt(o.Alpha*(1-o.Alpha)*float64(n)) {
			t.Errorf("%s: %d false alarms in %d comparisons, alpha is %v", name, alarms, n, o.Alpha)
		}
	}
	random := rand.New(rand.NewPCG(2, 1))
	for _, noise := range slices.Sorted(maps.Keys(noises)) {
		for _, drift := range slices.Sorted(maps.Keys(drifts)) {
			alarms := 0
			for range each {
				state, rounds := 0.0, 0.0
				f, _ := decide(o, budget, func() (old, new float64) {
					rounds++
					state = drifts[drift](state, rounds/budget, random)
					// The second run of a round is slower; the random order makes this fair.
					a, b := state+noises[noise](random), state+noises[noise](random)+0.02
					if random.IntN(2) == 0 {
						a, b = b, a
					}
					return math.Exp(a), math.Exp(b)
				})
				if calls(f, o) {
					alarms++
				}
			}
			check("noise "+noise+", drift "+drift, alarms, each)
			all, allAlarms = all+each, allAlarms+alarms
		}
	}
	check("all", allAlarms, all)
}
