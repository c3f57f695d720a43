package compare

import (
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/stat/distuv"
)

// difference is what a t test says of two estimates.
type difference struct {
	delta    float64 // b - a
	standard float64 // its standard error
	freedom  float64 // degrees of freedom of that, unless it is 0
	p        float64 // two-sided

	stretched bool // that of an estimate was
}

// welch compares two estimates.
func welch(a, b estimate) difference {
	d := difference{delta: b.location - a.location, standard: math.Sqrt(a.variance + b.variance), stretched: a.stretched || b.stretched}
	if d.standard == 0 {
		if d.delta == 0 {
			d.p = 1
		}
		return d
	}
	// Welch and Satterthwaite. Shares of the variance keep very small ones from vanishing when
	// squared.
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

// quantiles caches what takes long to compute and is wanted for every benchmark.
var quantiles sync.Map

// quantile returns a quantile of Student's distribution. It rounds the degrees of freedom down to
// an eighth, which is the safe side.
func quantile(p, freedom float64) float64 {
	key := [2]float64{p, max(1, math.Floor(8*freedom)/8)}
	if q, ok := quantiles.Load(key); ok {
		return q.(float64)
	}
	q := student(key[1]).Quantile(p)
	quantiles.Store(key, q)
	return q
}

// interval returns the bounds of the confidence interval of that level.
func (d difference) interval(confidence float64) (lo, hi float64) {
	if d.standard == 0 {
		return d.delta, d.delta
	}
	half := quantile(1-(1-confidence)/2, d.freedom) * d.standard
	return d.delta - half, d.delta + half
}

// detectable returns the difference that a test of level alpha finds with a probability of 80%.
func (d difference) detectable(alpha float64) float64 {
	if d.standard == 0 {
		return 0
	}
	return (quantile(1-alpha/2, d.freedom) + quantile(0.8, d.freedom)) * d.standard
}

// holm adjusts p values for their number. Those up to alpha are then significant, and the
// probability of any false one among them is alpha at most.
func holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case p[i] < p[j]:
			return -1
		case p[i] > p[j]:
			return 1
		}
		return 0
	})
	adjusted := make([]float64, len(p))
	highest := 0.0
	for rank, i := range order {
		highest = max(highest, min(1, p[i]*float64(len(p)-rank)))
		adjusted[i] = highest
	}
	return adjusted
}
