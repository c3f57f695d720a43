package quality

import "math"

// members returns the pairs that count for a band.
func (w *Workload) members(in func(pair) bool) []int {
	var members []int
	for i, p := range w.pairs {
		if in(p) {
			members = append(members, i)
		}
	}
	return members
}

// band compares hash and ideal over the pairs for which in holds.
func (w *Workload) band(hash, ideal *observation, in func(pair) bool) Band {
	members := w.members(in)
	b := Band{Pairs: len(members)}
	if len(members) < leastPairs || w.options.Keyings < leastToResample {
		return b
	}
	b.Hash, b.Ideal = w.errors(hash, members), w.errors(ideal, members)
	squares, squaresOfHash := w.squaredErrors(ideal, members), w.squaredErrors(hash, members)
	if b.Hash.MSE == 0 || mostlyEqual(squares) {
		return Band{Pairs: len(members)}
	}
	b.Defined = true
	r := newRandom(w.options.Seed, forResampling, uint64(len(members)))
	fromPairs := w.pairsError2(ideal, hash, in, b)
	b.Effective = ratioInterval(squares, squaresOfHash, fromPairs, r).times(float64(hash.bits))
	b.VarianceRatio = b.Hash.Variance / b.Ideal.Variance
	return b
}

// mostlyEqual reports whether more than half of the values are the same: what the few others are
// decides on the mean, and no bootstrap knows it.
func mostlyEqual(values []float64) bool {
	same := map[float64]int{}
	for _, x := range values {
		if same[x]++; 2*same[x] > len(values) {
			return true
		}
	}
	return false
}

// perBit is how much of an angle one differing bit stands for.
func (o *observation) perBit() float64 { return math.Pi / float64(o.bits) }

// squaredErrors returns the mean squared error of the members in each keying.
func (w *Workload) squaredErrors(o *observation, members []int) []float64 {
	means := make([]float64, w.options.Keyings)
	for k := range means {
		row := o.distances[k*len(w.pairs):]
		sum := 0.0
		for _, i := range members {
			sum += w.squaredError(o, row, i)
		}
		means[k] = sum / float64(len(members))
	}
	return means
}

// pairsError2 returns the squared standard error that the logarithm of the ratio of two mean
// squared errors has because the members of the band are a sample of pairs.
//
// It is found by pairs that are neighbours by the angle that they were to have: what that angle
// does to both is no chance, since every workload has the same ones, but which angle came of it is,
// and whether that is one of the band; a pair that is not adds nothing to either mean. The
// difference of neighbours, averaged over the keyings, varies by twice the variance of pairs, and
// by what few keyings leave to chance, which is taken off.
func (w *Workload) pairsError2(ideal, hash *observation, in func(pair) bool, b Band) float64 {
	ofIdeal, ofHash := make([]float64, w.options.Keyings), make([]float64, w.options.Keyings)
	sum := 0.0
	for at := range w.byWanted[1:] {
		i, j := w.byWanted[at], w.byWanted[at+1]
		if w.pairs[i].uniform != w.pairs[j].uniform {
			continue
		}
		clear(ofIdeal)
		clear(ofHash)
		if in(w.pairs[i]) {
			w.addSquaredErrors(ofIdeal, ideal, i, -1)
			w.addSquaredErrors(ofHash, hash, i, -1)
		}
		if in(w.pairs[j]) {
			w.addSquaredErrors(ofIdeal, ideal, j, 1)
			w.addSquaredErrors(ofHash, hash, j, 1)
		}
		x, y := summarise(ofIdeal, nil), summarise(ofHash, nil)
		difference := x.mean/b.Ideal.MSE - y.mean/b.Hash.MSE
		sum += float64(difference*difference) - x.error2/float64(b.Ideal.MSE*b.Ideal.MSE) - y.error2/float64(b.Hash.MSE*b.Hash.MSE)
	}
	n := float64(b.Pairs)
	return max(0, sum/float64(2*(n-1))) / n
}

// addSquaredErrors adds those of a pair in each keying, with that sign.
func (w *Workload) addSquaredErrors(dst []float64, o *observation, pair int, sign float64) {
	for k := range dst {
		dst[k] += float64(sign * w.squaredError(o, o.distances[k*len(w.pairs):], pair))
	}
}

// squaredError is that of a pair in the keying that the distances are of.
func (w *Workload) squaredError(o *observation, distances []uint16, pair int) float64 {
	e := float64(float64(distances[pair])*o.perBit()) - w.pairs[pair].angle
	return float64(e * e)
}

// errors takes bias and variance apart: of each pair over the keyings, then the mean over the
// pairs.
func (w *Workload) errors(o *observation, members []int) Errors {
	var e Errors
	for _, i := range members {
		mean, deviation := w.moments(o, i)
		bias := float64(mean*o.perBit()) - w.pairs[i].angle
		deviation *= o.perBit()
		e.Bias += bias
		e.Bias2 += float64(bias * bias)
		e.Variance += float64(deviation * deviation)
	}
	n := float64(len(members))
	e.Bias /= n
	e.Bias2 /= n
	e.Variance /= n
	e.MSE = e.Bias2 + e.Variance
	e.RMSE = math.Sqrt(e.MSE)
	return e
}

// moments returns the mean and the standard deviation of a pair's distance over the keyings.
func (w *Workload) moments(o *observation, pair int) (mean, deviation float64) {
	n, sum, squares := int64(w.options.Keyings), int64(0), int64(0)
	for at := pair; at < len(o.distances); at += len(w.pairs) {
		d := int64(o.distances[at])
		sum += d
		squares += d * d
	}
	return float64(sum) / float64(n), math.Sqrt(float64(n*squares-sum*sum)) / float64(n)
}
