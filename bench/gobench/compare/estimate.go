package compare

import (
	"math"
	"slices"
)

// trim is the share of the samples that a trimmed mean leaves out at each end: outliers of timings
// are common, and all on one side.
const trim = 0.2

// estimate is a location with the variance of its error.
type estimate struct {
	location float64
	variance float64
	freedom  float64 // degrees of freedom of the variance, 0 if there is none

	stretched bool // the variance was made larger, for samples that resemble their neighbours
}

// trimmedMean returns the 20% trimmed mean of the values, of which there is at least one, with the
// variance that the Winsorised values give it (Yuen 1974). Where Winsorising would hide all spread,
// in samples that are mostly one value, it is the plain mean.
func trimmedMean(values []float64) estimate {
	x := slices.Sorted(slices.Values(values))
	n := len(x)
	cut := int(trim * float64(n))
	if cut > 0 && x[cut] == x[n-1-cut] && x[0] != x[n-1] {
		cut = 0
	}
	kept := n - 2*cut
	location := mean(x[cut : n-cut])
	for i := range cut {
		x[i], x[n-1-i] = x[cut], x[n-1-cut]
	}
	if kept < 2 {
		return estimate{location: location}
	}
	return estimate{location: location, variance: squares(x) / (float64(kept) * float64(kept-1)), freedom: float64(kept - 1)}
}

func mean(x []float64) float64 {
	// Less the first value, so that equal values have their own value as the mean, and no spread.
	sum := 0.0
	for _, v := range x {
		sum += v - x[0]
	}
	return x[0] + sum/float64(len(x))
}

// squares is the sum of squared deviations from the mean.
func squares(x []float64) float64 {
	m, sum := mean(x), 0.0
	for _, v := range x {
		sum += (v - m) * (v - m)
	}
	return sum
}

// ofRuns estimates the location of samples that come in process runs, in the order in which they
// were taken. noise is what fewer than EnoughRuns runs may hide.
func ofRuns(runs [][]float64, noise float64) estimate {
	all := slices.Concat(runs...)
	within := trimmedMean(all)
	if len(runs) == 1 {
		within = within.stretch(all)
	}
	if len(runs) < EnoughRuns {
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

// stretch makes the variance larger if samples resemble their neighbours in time: of n samples with
// the first autocorrelation r, first-order autoregression leaves the worth of n (1-r)/(1+r). It
// does so only if r is significant (one-sided, 5%): estimates from few samples are mostly noise.
func (e estimate) stretch(x []float64) estimate {
	n := float64(len(x))
	total := squares(x)
	if total == 0 || e.freedom == 0 {
		return e
	}
	m, products := mean(x), 0.0
	for i := range len(x) - 1 {
		products += (x[i] - m) * (x[i+1] - m)
	}
	r := products/total + 1/n // the estimate is biased by about -1/n
	if r*math.Sqrt(n) < 1.645 {
		return e
	}
	r = min(r, 0.95)
	factor := (1 + r) / (1 - r)
	return estimate{location: e.location, variance: e.variance * factor, freedom: max(1, (e.freedom+1)/factor-1), stretched: true}
}
