package compare

import (
	"math"
	"slices"
)

// Effect is the difference between the two sides.
type Effect struct {
	Change float64 // relative: 0.06 if new is 6% more than old; infinite if old is 0 and new is not
	Lo, Hi float64 // 95% confidence interval of Change, or Change itself if the unit is exact
	// without noise 0 or 1, otherwise adjusted for the number of comparisons with noise (by
	// Options.Judge, if the effect is from there)
	P float64
	// Detectable is the relative change that would have been found significant with a probability
	// of 80%; 0 without noise.
	Detectable float64
	Noise      bool // the unit is not exact, and the samples of a side differ
	// samples of a side resemble their neighbours in time, and the interval is wider for it
	Stretched bool

	detectable func(alpha float64) float64
}

// confidence is the level of the intervals of effects.
const confidence = 0.95

// exactTolerance is the relative difference up to which exact values are equal: one unit of the
// eighth digit, to which files write them.
const exactTolerance = 1.01e-7

func sameExact(a, b float64) bool {
	return math.Abs(a-b) <= exactTolerance*max(math.Abs(a), math.Abs(b))
}

// Relative returns by how much b is more than a.
func Relative(a, b float64) float64 {
	if a == b {
		return 0
	}
	return (b - a) / math.Abs(a)
}

// effectOf compares the sides of a row that has both. Its P is not adjusted yet.
func effectOf(t Table, r Row) Effect {
	if t.Exact {
		change := Relative(r.Old.Median, r.New.Median)
		e := Effect{Change: change, Lo: change, Hi: change, P: 1}
		if !sameExact(r.Old.Median, r.New.Median) {
			e.P = 0
		}
		return e
	}
	d, relativeChange := differ(r.Old.series.byRun(), r.New.series.byRun())
	lo, hi := d.interval(confidence)
	detectable := func(alpha float64) float64 { return relativeChange(d.detectable(alpha)) }
	return Effect{Change: relativeChange(d.delta), Lo: relativeChange(lo), Hi: relativeChange(hi), P: d.p, Noise: d.standard > 0, Stretched: d.stretched, detectable: detectable}
}

// differ compares samples. It returns the difference and a function that turns differences into
// relative changes.
func differ(old, new [][]float64) (d difference, relativeChange func(float64) float64) {
	noise := DefaultRunNoise
	if constant(old) && constant(new) {
		noise = 0 // allocations, say, that have none
	}
	if positive(old) && positive(new) {
		return welch(ofRuns(logarithms(old), noise), ofRuns(logarithms(new), noise)), math.Expm1
	}
	old, new = scaled(old, new) // squares of large values would overflow
	base := math.Abs(trimmedMean(slices.Concat(old...)).location)
	return welch(ofRuns(old, noise*base), ofRuns(new, noise*base)), func(delta float64) float64 {
		if delta == 0 {
			return 0 // and not 0/0
		}
		return delta / base
	}
}

func positive(runs [][]float64) bool {
	return !slices.ContainsFunc(runs, func(r []float64) bool { return slices.Min(r) <= 0 })
}

func constant(runs [][]float64) bool {
	first := runs[0][0]
	return !slices.ContainsFunc(runs, func(r []float64) bool { return slices.Min(r) != first || slices.Max(r) != first })
}

// scaled divides both by the largest absolute value.
func scaled(a, b [][]float64) (scaledA, scaledB [][]float64) {
	largest := math.SmallestNonzeroFloat64
	for _, r := range slices.Concat(a, b) {
		largest = max(largest, slices.Max(r), -slices.Min(r))
	}
	divide := func(v float64) float64 { return v / largest }
	return each(a, divide), each(b, divide)
}

func logarithms(runs [][]float64) [][]float64 { return each(runs, math.Log) }

// each applies f to every value.
func each(runs [][]float64, f func(float64) float64) [][]float64 {
	list := make([][]float64, len(runs))
	for i, r := range runs {
		list[i] = make([]float64, len(r))
		for j, v := range r {
			list[i][j] = f(v)
		}
	}
	return list
}
