package quality

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// compareRandom compares the distances of the random couples, keying by keying: the couples of one
// keying share features and are no sample of their own.
func compareRandom(hash, ideal *observation, couples int) Unrelated {
	mean, variance := func(d distribution) float64 { return d.mean }, func(d distribution) float64 { return d.variance }
	u := Unrelated{Pairs: couples}
	u.Mean, u.IdealMean, u.MeanP = welch(hash.random, ideal.random, mean)
	u.Variance, u.IdealVariance, u.VarianceP = welch(hash.random, ideal.random, variance)
	return u
}

// welch returns the means of two samples and the two-sided p-value of their difference, without
// assuming equal variances (Welch 1947).
func welch(a, b []distribution, of func(distribution) float64) (aMean, bMean, p float64) {
	values := func(list []distribution) []float64 {
		out := make([]float64, len(list))
		for i, d := range list {
			out[i] = of(d)
		}
		return out
	}
	if len(a) < 2 || len(b) < 2 {
		return summariseOne(values(a)), summariseOne(values(b)), 1
	}
	x, y := summarise(values(a), nil), summarise(values(b), nil)
	error2 := x.error2 + y.error2
	switch {
	case error2 > 0:
		n, m := float64(len(a)-1), float64(len(b)-1)
		freedom := float64(error2*error2) / (float64(x.error2*x.error2)/n + float64(y.error2*y.error2)/m)
		p = 2 * distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}.CDF(-math.Abs(x.mean-y.mean)/math.Sqrt(error2))
	case x.mean == y.mean:
		p = 1
	}
	return x.mean, y.mean, p
}

// summariseOne is the mean of at most one value, 0 of none.
func summariseOne(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	return values[0]
}
