package quality

import (
	"math"
	"math/bits"
)

const (
	leastKeys = 64   // for tests of single bits: an ideal bit is constant over 64 keys with a chance of 10^-19
	manyBits  = 256  // wider codes are tested on fewer keys
	fewKeys   = 1024 // namely these
)

// columns turn codes into one bit set for each bit of the code, over the keys.
func columns(o *observation) (columns [][]uint64, keys int) {
	n := len(o.first) / wordsOf(o.bits)
	keys = n
	if o.bits > manyBits {
		keys = min(n, fewKeys)
	}
	columns = make([][]uint64, o.bits)
	for j := range columns {
		columns[j] = make([]uint64, wordsOf(keys))
		for i, code := range o.first[j/64*n : j/64*n+keys] {
			columns[j][i/64] |= code >> (uint(j) % 64) & 1 << (uint(i) % 64)
		}
	}
	return columns, keys
}

// testBits looks for bits that are constant, copies, biased or correlated.
func (q *BitQuality) testBits(o *observation, keyings int) {
	columns, keys := columns(o)
	if keys < leastKeys {
		return
	}
	q.Tested = true
	dead := make([]bool, o.bits)
	for j := range columns {
		if 2*int(o.constant[j]) >= keyings {
			dead[j] = true
			q.Constant = append(q.Constant, j)
			q.Dependent++
		}
	}
	for j, column := range columns {
		ones := 0
		for _, word := range column {
			ones += bits.OnesCount64(word)
		}
		q.Bias.test(ones, keys, 1, j, 0)
		if dead[j] {
			continue
		}
		determined := false
		for i, other := range columns[:j] {
			if dead[i] {
				continue
			}
			differing := 0
			for t, word := range column {
				differing += bits.OnesCount64(word ^ other[t])
			}
			q.Pairwise.test(differing, keys, 2, i, j)
			switch differing {
			case 0:
				q.Copies = append(q.Copies, [2]int{i, j})
				determined = true
			case keys:
				q.Opposites = append(q.Opposites, [2]int{i, j})
				determined = true
			}
		}
		if determined {
			q.Dependent++
		}
	}
}

// test takes one more fair coin into account: so many heads in n throws. scale is what a share of 1 above 1/2 is worth in the figure's own unit.
func (d *Deviation) test(heads, n int, scale float64, i, j int) {
	off := math.Abs(2*float64(heads)-float64(n)) / (2 * float64(n))
	if value := off * scale; value > d.Value || d.P == 0 && d.Value == 0 {
		d.Value, d.P, d.Where = value, coin(heads, n), [2]int{i, j}
	}
}

// coin is the two-sided p-value of so many heads in n throws of a fair coin: by the normal distribution with continuity correction.
func coin(heads, n int) float64 {
	z := max(0, math.Abs(2*float64(heads)-float64(n))-1) / math.Sqrt(float64(n))
	return math.Erfc(z / math.Sqrt2)
}

// correct multiplies the p-values by the number of tests (Bonferroni), which holds however the tests depend on each other.
func (q *BitQuality) correct(width int) {
	q.Tests = 64*width + 2
	if q.Tested {
		live := width - len(q.Constant)
		q.Tests += width + live*(live-1)/2
	}
	for _, p := range []*float64{&q.Bias.P, &q.Pairwise.P, &q.Avalanche.Deviation.P, &q.Random.MeanP, &q.Random.VarianceP} {
		*p = min(1, *p*float64(q.Tests))
	}
}
