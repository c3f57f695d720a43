package quality

import (
	"encoding/binary"
	"math"
	"slices"

	"simhashkit/internal/bench/terms"
)

// Judgement is a verdict on a hash on a workload. Its String is "good", "weak" or "undecided".
type Judgement = terms.Judgement

// The judgements, worst first.
const (
	Weak      = terms.Weak      // an upper end is below 0.9 f, or bits are constant or copied
	Undecided = terms.Undecided // neither good nor weak, or too few data
	Good      = terms.Good      // the lower ends are at least 0.9 f, and no bit is constant or copied
)

// Result is the measurement of one hash on one workload.
type Result struct {
	Hash     string
	Encoding string
	Pattern  string // pattern of the workload, such as "dense1e3"
	Weights  string // weights of the workload, such as "unit"
	Sketch   string // what the hash was judged for: simhash, minhash or hashing
	Bits     int    // size of the sketch: bits of a fingerprint, or buckets of feature hashing
	Keyings  int    // number of keyings that the results average over
	Keys     int    // number of different indices in one keying

	All     Band // pairs with angles or similarities spread over the whole range
	Cos90   Band // pairs at cosine 0.9 and above; of MinHash at J ≥ 0.8; of feature hashing, norms
	Bit     BitQuality
	Verdict Judgement
}

// Band is the quality of the estimator over some of the pairs.
type Band struct {
	Pairs   int
	Defined bool // if false (few pairs or keyings, or no errors), the next fields are zero

	Effective     Interval // what the sketch is worth, of Result.Bits: Bits · MSE of the ideal source / MSE
	Hash, Ideal   Errors
	VarianceRatio float64 // hash / ideal: 2 for a hash with half the bits
}

// Interval is a value with its 95% confidence interval for other keyings and pairs.
type Interval struct{ Value, Low, High float64 }

// Errors are the errors of the estimated angle, in radians. Bias2 + Variance = MSE.
type Errors struct {
	Bias     float64 // mean error: negative if estimates are too small
	Bias2    float64 // mean over the pairs of the squared mean error
	Variance float64 // mean over the pairs of the variance over the keyings
	MSE      float64 // mean squared error
	RMSE     float64 // square root of MSE
}

// BitQuality describes the bits of codes. It shows the defects of a hash, not how much they matter.
// If a keying has fewer than 64 indices, the tests use several keyings with at least 64 keys in
// total, and Constant lists the bits that are constant in each of these keyings.
type BitQuality struct {
	Constant []int // bits that are constant in at least half of the keyings
	Copied   []int // other bits that are copies or complements of a lower bit
	Tested   bool  // whether there were at least 64 keys; otherwise no hash is Good
	Codes    int   // different codes of a keying; 0 unless under 9 in 10 of those of ideal codes
}

// judge returns the judgement of a result.
func judge(r *Result) Judgement {
	least := terms.GoodPart * float64(r.Bits)
	verdict := terms.Good
	for _, b := range []Band{r.All, r.Cos90} {
		switch {
		case b.Pairs < leastPairs && max(r.All.Pairs, r.Cos90.Pairs) >= leastPairs: // short vectors have no near-duplicates
		case !b.Defined:
			verdict = min(verdict, terms.Undecided)
		case b.Effective.High < least:
			verdict = terms.Weak
		case b.Effective.Low < least:
			verdict = min(verdict, terms.Undecided)
		}
	}
	switch {
	case r.Bit.Codes > 0 && r.Sketch != terms.Hashing: // buckets repeat anyway
		return terms.Weak
	case r.Sketch != terms.SimHash: // dead bits matter as far as they show in the estimates
		if r.Keyings < terms.LeastKeyings {
			return terms.Undecided
		}
		return verdict
	case len(r.Bit.Constant)+len(r.Bit.Copied) > 0:
		return terms.Weak
	case r.Keyings < terms.LeastKeyings:
		return terms.Undecided
	case !r.Bit.Tested:
		return min(verdict, terms.Undecided)
	}
	return verdict
}

const (
	leastKeys = 64  // needed to test bits: with fewer, an ideal bit may be constant by chance
	manyBits  = 256 // codes wider than this are tested on fewKeys keys
	fewKeys   = 1024
)

// testKeyings returns the number of keyings that together have enough keys to test bits.
func testKeyings(keys int) int {
	if keys >= leastKeys || keys < 2 {
		return 1
	}
	return (leastKeys + keys - 2) / (keys - 1)
}

// testBits searches for bits that are constant in at least half of the keyings, or in all tested
// ones if these have few keys, and for copies and complements.
//
// Every code of a keying except the first is XORed with the first code. So bits that are constant
// or copied in each keying are so in all of them together, whatever value the seed gives them, and
// complements are equal.
func (q *BitQuality) testBits(o *observation, keys, keyings int) {
	words := wordsOf(o.bits)
	tested := len(o.first) / (keys * words)
	n := tested * (keys - 1)
	if n < leastKeys-1 {
		return
	}
	if o.bits > manyBits {
		n = min(n, fewKeys)
	}
	q.Tested = true
	known := map[string]bool{}
	for j := range o.bits {
		column := make([]byte, 0, tested*keys)
		for k := range tested {
			codes := o.first[(k*words+j/64)*keys:][:keys]
			for _, code := range codes[1:] {
				column = append(column, byte((code^codes[0])>>(j%64)&1))
			}
		}
		column = column[:n]
		constant := 2*int(o.constant[j]) >= keyings
		if keys < leastKeys {
			constant = !slices.Contains(column, 1)
		}
		switch {
		case constant:
			q.Constant = append(q.Constant, j)
		case known[string(column)]:
			q.Copied = append(q.Copied, j)
		default:
			known[string(column)] = true
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
