package quality

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"simhashkit/internal/bench/terms"
)

const (
	leastKeys     = 64  // needed to test bits: with fewer, an ideal bit may be constant by chance
	manyBits      = 256 // codes wider than this are tested on fewKeys keys
	fewKeys       = 1024
	avalancheKeys = 512
)

// testKeyings returns the number of keyings that together have enough keys to test bits.
func testKeyings(keys int) int {
	if keys >= leastKeys || keys < 2 {
		return 1
	}
	return (leastKeys + keys - 2) / (keys - 1)
}

// columnsOf turns the codes of the tested keyings into one bit set for each bit of the code.
//
// If relative is set, every code of a keying except the first is XORed with the first code. So bits
// that are constant or copied in each keying are also constant or copied in these columns, whatever
// value the seed gives them.
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

// deadBits returns which bits are constant in at least half of the keyings, or in all tested ones.
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

// testBits searches for bits that are constant, copies, biased or correlated.
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
			// Relative to the first code, complements are equal, too.
			determined = determined || differing == 0 || differing == keys && !relative
		}
		if determined {
			q.Copied = append(q.Copied, j)
		}
	}
}

// tooFewCodes returns the number of different codes of n keys, in the layout of Codes, if ideal
// codes would have clearly more. Otherwise, or with too few keys, it returns 0.
func tooFewCodes(codes []uint64, n, width int) int {
	if n < leastKeys {
		return 0
	}
	different := map[string]bool{}
	var code []byte
	for i := range n {
		code = code[:0]
		for at := i; at < len(codes); at += n {
			code = binary.LittleEndian.AppendUint64(code, codes[at])
		}
		different[string(code)] = true
	}
	all := math.Exp2(float64(width))
	expected := -all * math.Expm1(float64(n)*math.Log1p(-1/all))
	if width > 50 { // beyond the precision of the formula
		expected = float64(n)
	}
	if float64(len(different)) < terms.GoodPart*expected {
		return len(different)
	}
	return 0
}

// test tests whether a coin is fair, given the number of heads in n throws. It keeps the largest
// deviation of the share of heads from 1/2, times scale.
func (d *Deviation) test(heads, n int, scale float64) {
	off := math.Abs(2*float64(heads)-float64(n)) / (2 * float64(n))
	if value := off * scale; value > d.Value || d.P == 0 && d.Value == 0 {
		d.Value, d.P = value, coin(heads, n)
	}
}

// coin returns the two-sided p-value of heads in n throws of a fair coin, using the normal
// approximation.
func coin(heads, n int) float64 {
	z := max(0, math.Abs(2*float64(heads)-float64(n))-1) / math.Sqrt(float64(n))
	return math.Erfc(z / math.Sqrt2)
}

// correct multiplies the p-values by the number of tests (Bonferroni).
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

// testAvalanche flips each bit of keys and tests how often each bit of the code changes.
func (d *Deviation) testAvalanche(code Codes, keys []uint64, width int) error {
	flips, n, err := countFlips(code, keys, width)
	if err != nil {
		return err
	}
	for _, changes := range flips {
		for _, count := range changes {
			d.test(count, n, 1)
		}
	}
	return nil
}

// countFlips flips each bit of n keys and counts how often each bit of the code changes:
// flips[i][j] is the count for bit i of the key and bit j of the code.
func countFlips(code Codes, keys []uint64, width int) (flips [64][]int, n int, err error) {
	n = min(len(keys), avalancheKeys)
	if width > manyBits {
		n = min(n, leastKeys)
	}
	flipped := make([]uint64, 0, 65*n)
	for i := range n {
		flipped = append(flipped, keys[i*len(keys)/n])
	}
	for bit := range 64 {
		flips[bit] = make([]int, width)
		for _, k := range flipped[:n] {
			flipped = append(flipped, k^1<<bit)
		}
	}
	codes := make([]uint64, len(flipped)*wordsOf(width))
	if err := code(codes, flipped); err != nil {
		return flips, n, err
	}
	for t := range wordsOf(width) {
		word := codes[t*len(flipped) : (t+1)*len(flipped)]
		for i, plain := range word[:n] {
			for bit := range 64 {
				for d := plain ^ word[(bit+1)*n+i]; d != 0; d &= d - 1 {
					flips[bit][64*t+bits.TrailingZeros64(d)]++
				}
			}
		}
	}
	return flips, n, nil
}

// welch returns the means of two samples and the two-sided p-value of their difference.
func welch(a, b []float64) (aMean, bMean, p float64) {
	if len(a) < 2 || len(b) < 2 {
		var only [2]float64 // a sample of one value has its mean
		copy(only[:1], a)
		copy(only[1:], b)
		return only[0], only[1], 1
	}
	x, y := summarise(a, nil), summarise(b, nil)
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
