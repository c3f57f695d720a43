package quality

import (
	"math"
	"math/bits"
	"slices"
)

const (
	// for tests of single bits: an ideal bit is constant over 64 keys with a chance of 10^-19
	leastKeys = 64
	manyBits  = 256  // wider codes are tested on fewer keys
	fewKeys   = 1024 // namely these
)

// testKeyings is the number of keyings in which single bits are tested: one, or where it has too
// few keys as many as have enough, if there are.
func testKeyings(keys int) int {
	if keys >= leastKeys || keys < 2 {
		return 1
	}
	return (leastKeys + keys - 2) / (keys - 1)
}

// columnsOf turns codes into one bit set for each bit of the code, over the keys of the keyings
// that are tested.
//
// Relative ones have every code but a keying's first xored with that first one. What is constant or
// copied in each keying is so in these columns too, also where another seed makes a constant bit
// another constant.
func columnsOf(o *observation, keys int, relative bool) (columns [][]uint64, n int) {
	words := wordsOf(o.bits)
	from := 0
	if relative {
		from = 1
	}
	keyings := len(o.first) / (keys * words)
	n = keyings * (keys - from)
	if o.bits > manyBits {
		n = min(n, fewKeys)
	}
	columns = make([][]uint64, o.bits)
	for j := range columns {
		columns[j] = make([]uint64, wordsOf(n))
		at := 0
		for k := range keyings {
			codes := o.first[(k*words+j/64)*keys:][:keys]
			origin := uint64(0)
			if relative {
				origin = codes[0]
			}
			for _, code := range codes[from:] {
				if at == n {
					break
				}
				columns[j][at/64] |= (code ^ origin) >> (uint(j) % 64) & 1 << (uint(at) % 64)
				at++
			}
		}
	}
	return columns, n
}

// deadBits says which bits have one value for all keys of a keying, in at least half of the
// keyings; in all that are tested where a keying has few keys, of which chance makes a bit
// constant.
func deadBits(o *observation, relative [][]uint64, keys, keyings int) []bool {
	dead := make([]bool, o.bits)
	for j := range dead {
		if keys < leastKeys {
			dead[j] = !slices.ContainsFunc(relative[j], func(word uint64) bool { return word != 0 })
		} else {
			dead[j] = 2*int(o.constant[j]) >= keyings
		}
	}
	return dead
}

// testBits looks for bits that are constant, copies, biased or correlated.
func (q *BitQuality) testBits(o *observation, indices, keyings int) {
	relative := indices < leastKeys
	plain, plainKeys := columnsOf(o, indices, false)
	columns, keys := plain, plainKeys
	if relative {
		columns, keys = columnsOf(o, indices, true)
	}
	if keys < leastKeys {
		return
	}
	q.Tested = true
	dead := deadBits(o, columns, indices, keyings)
	for j := range columns {
		if dead[j] {
			q.Constant = append(q.Constant, j)
		}
	}
	for j, column := range columns {
		ones := 0
		for _, word := range plain[j] {
			ones += bits.OnesCount64(word)
		}
		q.Bias.test(ones, plainKeys, 1)
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
			q.Pairwise.test(differing, keys, 2)
			// relative to a first code, complements are equal too
			determined = determined || differing == 0 || differing == keys && !relative
		}
		if determined {
			q.Copied = append(q.Copied, j)
		}
	}
}

// test takes one more fair coin into account: that many heads in n throws. scale is what a share of
// 1 above 1/2 is worth in the figure's own unit.
func (d *Deviation) test(heads, n int, scale float64) {
	off := math.Abs(2*float64(heads)-float64(n)) / (2 * float64(n))
	if value := off * scale; value > d.Value || d.P == 0 && d.Value == 0 {
		d.Value, d.P = value, coin(heads, n)
	}
}

// coin is the two-sided p-value of that many heads in n throws of a fair coin: by the normal
// distribution with continuity correction.
func coin(heads, n int) float64 {
	z := max(0, math.Abs(2*float64(heads)-float64(n))-1) / math.Sqrt(float64(n))
	return math.Erfc(z / math.Sqrt2)
}

// correct multiplies the p-values by the number of tests (Bonferroni), which holds however the
// tests depend on each other.
func (q *BitQuality) correct(width int) {
	tests := 64*width + 2
	if q.Tested {
		live := width - len(q.Constant)
		tests += width + live*(live-1)/2
	}
	for _, p := range []*float64{&q.Bias.P, &q.Pairwise.P, &q.Avalanche.P, &q.Random.MeanP, &q.Random.VarianceP} {
		*p = min(1, *p*float64(tests))
	}
}
