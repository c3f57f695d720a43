package compare

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/gobench/samples"
)

// Effect is the difference between the two sides.
type Effect struct {
	Change     float64 // relative: 0.06 if new is 6% larger; infinite if only old is 0
	Lo, Hi     float64 // 95% confidence interval of Change, or Change itself if the unit is exact
	P          float64 // adjusted for the number of comparisons; 0 or 1 without noise
	Detectable float64 // change found with a probability of 80%; 0 without noise
	Noise      bool    // the unit is not exact, and the samples of a side differ

	detectable func(alpha float64) float64
}

const (
	confidence     = 0.95    // confidence level of the intervals of effects
	exactTolerance = 1.01e-7 // largest relative difference of equal exact values: files have 8 digits
	trim           = 0.2     // share of the samples that is trimmed at each end
)

func sameExact(a, b float64) bool {
	return math.Abs(a-b) <= exactTolerance*max(math.Abs(a), math.Abs(b))
}

// effectOf compares the sides of a row that has both. It does not adjust P for multiple
// comparisons.
func effectOf(t Table, r Row) Effect {
	if t.Exact {
		change := samples.Relative(r.Old.Median, r.New.Median)
		e := Effect{Change: change, Lo: change, Hi: change, P: 1}
		if !sameExact(r.Old.Median, r.New.Median) {
			e.P = 0
		}
		return e
	}
	d, relativeChange := differ(r.Old.series.runs, r.New.series.runs)
	lo, hi := d.interval(confidence)
	detectable := func(alpha float64) float64 { return relativeChange(d.detectable(alpha)) }
	return Effect{Change: relativeChange(d.delta), Lo: relativeChange(lo), Hi: relativeChange(hi), P: d.p, Noise: d.standard > 0, detectable: detectable}
}

// differ returns the difference of samples, and a function that makes differences relative.
func differ(old, new [][]float64) (d difference, relativeChange func(float64) float64) {
	allOld, allNew := slices.Concat(old...), slices.Concat(new...)
	leastOld, mostOld, leastNew, mostNew := slices.Min(allOld), slices.Max(allOld), slices.Min(allNew), slices.Max(allNew)
	noise := defaultRunNoise
	if leastOld == mostOld && leastNew == mostNew {
		noise = 0 // constants, such as allocations, have no noise
	}
	if min(leastOld, leastNew) > 0 {
		return welch(ofRuns(each(old, math.Log), noise), ofRuns(each(new, math.Log), noise)), math.Expm1
	}
	// Divide by the largest, since squares of large values would overflow.
	largest := max(mostOld, -leastOld, mostNew, -leastNew, math.SmallestNonzeroFloat64)
	scale := func(v float64) float64 { return v / largest }
	old, new = each(old, scale), each(new, scale)
	base := math.Abs(trimmedMean(slices.Concat(old...)).location)
	return welch(ofRuns(old, noise*base), ofRuns(new, noise*base)), func(delta float64) float64 {
		if delta == 0 {
			return 0 // not 0/0
		}
		return delta / base
	}
}

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

// estimate is a location with the variance of its error.
type estimate struct {
	location float64
	variance float64
	freedom  float64 // degrees of freedom of the variance; 0 if there are none
}

// trimmedMean returns the 20% trimmed mean of the values with its variance (Yuen 1974). If trimming
// would leave only equal values of different ones, it returns the plain mean.
func trimmedMean(values []float64) estimate {
	x := slices.Sorted(slices.Values(values))
	n := len(x)
	cut := int(trim * float64(n))
	if cut > 0 && x[cut] == x[n-1-cut] && x[0] != x[n-1] {
		cut = 0
	}
	kept := n - 2*cut
	location := samples.Mean(x[cut : n-cut])
	for i := range cut {
		x[i], x[n-1-i] = x[cut], x[n-1-cut]
	}
	if kept < 2 {
		return estimate{location: location}
	}
	return estimate{location: location, variance: squares(x) / (float64(kept) * float64(kept-1)), freedom: float64(kept - 1)}
}

// squares returns the sum of squared deviations from the mean.
func squares(x []float64) float64 {
	m, sum := samples.Mean(x), 0.0
	for _, v := range x {
		sum += (v - m) * (v - m)
	}
	return sum
}

// ofRuns estimates the location of samples grouped by process run. noise is the assumed variation
// between runs, which is added if there are few runs.
func ofRuns(runs [][]float64, noise float64) estimate {
	all := slices.Concat(runs...)
	within := trimmedMean(all)
	if len(runs) == 1 {
		within = within.stretch(all)
	}
	if len(runs) < enoughRuns {
		within.variance += noise * noise
	}
	if len(runs) == 1 {
		return within
	}
	locations := make([]float64, len(runs))
	for i, r := range runs {
		locations[i] = trimmedMean(r).location
	}
	between := trimmedMean(locations)
	if between.variance < within.variance {
		between.variance, between.freedom = within.variance, within.freedom
	}
	return between
}

// stretch increases the variance if the first autocorrelation r of the samples is significant: n
// samples are then worth n (1-r)/(1+r).
func (e estimate) stretch(x []float64) estimate {
	n := float64(len(x))
	total := squares(x)
	if total == 0 || e.freedom == 0 {
		return e
	}
	m, products := samples.Mean(x), 0.0
	for i := range len(x) - 1 {
		products += (x[i] - m) * (x[i+1] - m)
	}
	r := products/total + 1/n // the estimate is biased by about -1/n
	if r*math.Sqrt(n) < 1.645 {
		return e
	}
	r = min(r, 0.95)
	factor := (1 + r) / (1 - r)
	return estimate{location: e.location, variance: e.variance * factor, freedom: max(1, (e.freedom+1)/factor-1)}
}

// difference is the result of a t test of two estimates.
type difference struct {
	delta    float64 // b - a
	standard float64 // standard error of delta
	freedom  float64 // degrees of freedom of standard, unless standard is 0
	p        float64 // two-sided
}

func welch(a, b estimate) difference {
	d := difference{delta: b.location - a.location, standard: math.Sqrt(a.variance + b.variance)}
	if d.standard == 0 {
		if d.delta == 0 {
			d.p = 1
		}
		return d
	}
	// Welch and Satterthwaite. Squares of shares do not underflow, unlike squares of variances.
	total := a.variance + b.variance
	inverse := 0.0
	for _, e := range []estimate{a, b} {
		if e.freedom > 0 {
			share := e.variance / total
			inverse += share * share / e.freedom
		}
	}
	d.freedom = 1 / inverse
	d.p = min(1, 2*student(d.freedom).Survival(math.Abs(d.delta)/d.standard))
	return d
}

func student(freedom float64) distuv.StudentsT { return distuv.StudentsT{Sigma: 1, Nu: freedom} }

// quantile returns a quantile of Student's distribution.
func quantile(p, freedom float64) float64 { return student(max(1, freedom)).Quantile(p) }

func (d difference) interval(confidence float64) (lo, hi float64) {
	if d.standard == 0 {
		return d.delta, d.delta
	}
	half := quantile(1-(1-confidence)/2, d.freedom) * d.standard
	return d.delta - half, d.delta + half
}

// detectable returns the difference that a test at level alpha finds with a probability of 80%.
func (d difference) detectable(alpha float64) float64 {
	if d.standard == 0 {
		return 0
	}
	return (quantile(1-alpha/2, d.freedom) + quantile(0.8, d.freedom)) * d.standard
}

// holm adjusts p values by Holm's method. If results with an adjusted p of at most alpha are
// significant, the probability of any false alarm is at most alpha.
func holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(p[i], p[j]) })
	adjusted := make([]float64, len(p))
	highest := 0.0
	for rank, i := range order {
		highest = max(highest, min(1, p[i]*float64(len(p)-rank)))
		adjusted[i] = highest
	}
	return adjusted
}

// shifted moves the figure of the new side until it differs from the old one by the judged change.
func shifted(old, new resultfile.Figure, change float64) resultfile.Figure {
	moved := old.Median + change*math.Abs(old.Median)
	switch {
	case math.IsInf(change, 0) || moved == new.Median:
		return new
	case new.Median > 0 && moved > 0:
		factor := moved / new.Median
		return resultfile.Figure{Median: moved, Lo: new.Lo * factor, Hi: new.Hi * factor, Samples: new.Samples}
	}
	by := moved - new.Median
	return resultfile.Figure{Median: moved, Lo: new.Lo + by, Hi: new.Hi + by, Samples: new.Samples}
}
