package quality

import (
	"math"
	"slices"
)

// estimates holds the errors of the estimates of pairs or other targets in all keyings.
type estimates struct {
	errors           []float64
	keyings, targets int
}

func newEstimates(keyings, targets int) *estimates {
	return &estimates{make([]float64, keyings*targets), keyings, targets}
}

// of returns the errors in a keying, by target.
func (x *estimates) of(keying int) []float64 {
	return x.errors[keying*x.targets : (keying+1)*x.targets]
}

// summarise computes bias and variance of each member over the keyings, and averages them over the
// members. squares is the mean squared error in each keying.
func (x *estimates) summarise(members []int) (e Errors, squares []float64) {
	squares = make([]float64, x.keyings)
	for _, i := range members {
		sum, variance := 0.0, 0.0
		for k := range squares {
			sum += x.of(k)[i]
		}
		bias := sum / float64(x.keyings)
		for k := range squares {
			off := x.of(k)[i] - bias
			variance += float64(off * off)
		}
		e.Bias += bias
		e.Bias2 += float64(bias * bias)
		e.Variance += variance / float64(x.keyings)
		x.addSquares(squares, i, 1)
	}
	n := float64(len(members))
	e.Bias /= n
	e.Bias2 /= n
	e.Variance /= n
	e.MSE = e.Bias2 + e.Variance
	e.RMSE = math.Sqrt(e.MSE)
	for k := range squares {
		squares[k] /= n
	}
	return e, squares
}

// addSquares adds the squared error of a target in each keying, multiplied by sign.
func (x *estimates) addSquares(dst []float64, target int, sign float64) {
	for k := range dst {
		e := x.of(k)[target]
		dst[k] += float64(sign * float64(e*e))
	}
}

// members returns the numbers of the pairs that belong to a band.
func (w *Workload) members(in func(pair) bool) []int {
	var members []int
	for i, p := range w.pairs {
		if in(p) {
			members = append(members, i)
		}
	}
	return members
}

// band compares hash and ideal over the pairs for which in returns true.
func (w *Workload) band(hash, ideal *observation, in func(pair) bool) Band {
	members := w.members(in)
	b := Band{Pairs: len(members)}
	if len(members) < leastPairs || w.options.Keyings < leastToResample {
		return b
	}
	var squares, squaresOfHash []float64
	b.Hash, squaresOfHash = hash.angles.summarise(members)
	b.Ideal, squares = ideal.angles.summarise(members)
	if b.Hash.MSE == 0 || mostlyEqual(squares) {
		return Band{Pairs: len(members)}
	}
	b.Defined = true
	r := newRandom(w.options.Seed, forResampling, uint64(len(members)))
	fromPairs := w.pairsError2(ideal.angles, hash.angles, in, b)
	b.Effective = ratioInterval(squares, squaresOfHash, fromPairs, r).times(float64(hash.bits))
	b.VarianceRatio = b.Hash.Variance / b.Ideal.Variance
	return b
}

// mostlyEqual reports whether more than half of the values are equal, too many for a bootstrap.
func mostlyEqual(values []float64) bool {
	same := map[float64]int{}
	for _, x := range values {
		if same[x]++; 2*same[x] > len(values) {
			return true
		}
	}
	return false
}

// pairsError2 returns the square of the standard error of the logarithm of the ratio of two mean
// squared errors, as far as it comes from the choice of the pairs.
//
// It compares pairs with neighbouring wanted angles. The wanted angles are the same in every
// workload; only the actual angles are random. The variance of the difference of neighbours is
// twice the variance of pairs, plus the variance that comes from the small number of keyings, which
// is subtracted.
func (w *Workload) pairsError2(ideal, hash *estimates, in func(pair) bool, b Band) float64 {
	ofIdeal, ofHash := make([]float64, w.options.Keyings), make([]float64, w.options.Keyings)
	sum := 0.0
	for at := range w.byWanted[1:] {
		i, j := w.byWanted[at], w.byWanted[at+1]
		if w.pairs[i].uniform != w.pairs[j].uniform {
			continue
		}
		clear(ofIdeal)
		clear(ofHash)
		for neighbour, pair := range []int{i, j} {
			if in(w.pairs[pair]) {
				sign := float64(2*neighbour - 1)
				ideal.addSquares(ofIdeal, pair, sign)
				hash.addSquares(ofHash, pair, sign)
			}
		}
		x, y := summarise(ofIdeal, nil), summarise(ofHash, nil)
		difference := x.mean/b.Ideal.MSE - y.mean/b.Hash.MSE
		sum += float64(difference*difference) - x.error2/float64(b.Ideal.MSE*b.Ideal.MSE) - y.error2/float64(b.Hash.MSE*b.Hash.MSE)
	}
	n := float64(b.Pairs)
	return max(0, sum/float64(2*(n-1))) / n
}

const (
	resamples       = 1000
	leastToResample = 10 // keyings; with fewer, an interval would be a guess
	tail            = 0.025
)

// ratioInterval returns mean(a)/mean(b) with its 95 % interval: a bootstrap of the studentised
// logarithm of the ratio (Efron and Tibshirani 1993, section 12.5). extra2 is the squared standard
// error that resampling does not include. All values must be positive and finite.
func ratioInterval(a, b []float64, extra2 float64, r random) Interval {
	value, deviation := logRatio(summarise(a, nil), summarise(b, nil))
	pivots := make([]float64, resamples)
	ia, ib := make([]int, len(a)), make([]int, len(b))
	for i := range pivots {
		again, spread := logRatio(summarise(a, draw(ia, r)), summarise(b, draw(ib, r)))
		if spread > 0 {
			pivots[i] = (again - value) / spread
		}
	}
	slices.Sort(pivots)
	deviation = math.Sqrt(float64(deviation*deviation) + extra2)
	at := int(tail * resamples)
	low, high := pivots[at], pivots[resamples-1-at]
	return Interval{bounded(value), bounded(value - float64(high*deviation)), bounded(value - float64(low*deviation))}
}

func bounded(x float64) float64 { return math.Exp(max(-500, min(500, x))) }

func (i Interval) times(x float64) Interval { return Interval{i.Value * x, i.Low * x, i.High * x} }

func draw(places []int, r random) []int {
	for i := range places {
		places[i] = int(r.below(uint64(len(places))))
	}
	return places
}

// summary is the mean of a sample and the squared standard error of the mean.
type summary struct{ mean, error2 float64 }

// summarise summarises the values at the places, or all values.
func summarise(values []float64, places []int) summary {
	n, sum, squares := float64(len(values)), 0.0, 0.0
	for i, x := range values {
		if places != nil {
			x = values[places[i]]
		}
		sum += x
	}
	mean := sum / n
	for i, x := range values {
		if places != nil {
			x = values[places[i]]
		}
		squares += float64((x - mean) * (x - mean))
	}
	return summary{mean, squares / (n * (n - 1))}
}

// logRatio returns the logarithm of the ratio of two means with its standard error (delta method).
func logRatio(a, b summary) (value, deviation float64) {
	return math.Log(a.mean / b.mean), math.Sqrt(a.error2/float64(a.mean*a.mean) + b.error2/float64(b.mean*b.mean))
}
