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
	squares := w.squaredErrors(ideal, members)
	if b.Hash.MSE == 0 || mostlyEqual(squares) {
		return Band{Pairs: len(members)}
	}
	b.Defined = true
	r := newRandom(w.options.Seed, forResampling, uint64(len(members)))
	b.Effective = ratioInterval(squares, w.squaredErrors(hash, members), r).times(float64(hash.bits))
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
			e := float64(float64(row[i])*o.perBit()) - w.pairs[i].angle
			sum += float64(e * e)
		}
		means[k] = sum / float64(len(members))
	}
	return means
}

// errors takes bias and variance apart: of each pair over the keyings, then the mean over the
// pairs.
func (w *Workload) errors(o *observation, members []int) Errors {
	var e Errors
	for _, i := range members {
		m := w.moments(o, i)
		bias := float64(m.Mean*o.perBit()) - w.pairs[i].angle
		deviation := m.Deviation * o.perBit()
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

// moments are those of one pair's distance.
func (w *Workload) moments(o *observation, pair int) Moments {
	n, sum, squares := int64(w.options.Keyings), int64(0), int64(0)
	for at := pair; at < len(o.distances); at += len(w.pairs) {
		d := int64(o.distances[at])
		sum += d
		squares += d * d
	}
	return Moments{float64(sum) / float64(n), math.Sqrt(float64(n*squares-sum*sum)) / float64(n)}
}

// points returns all pairs.
func (w *Workload) points(hash, ideal *observation) []Point {
	points := make([]Point, len(w.pairs))
	for i, p := range w.pairs {
		points[i] = Point{p.angle, p.uniform, w.moments(hash, i), w.moments(ideal, i)}
	}
	return points
}
