package quality

import (
	"fmt"
	"slices"
	"strings"

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

	Effective     Interval // f · MSE of the ideal source / MSE of the hash
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
	Constant []int     // bits that are constant in at least half of the keyings
	Copied   []int     // other bits that are copies or complements of a lower bit
	Tested   bool      // whether there were at least 64 keys; otherwise no hash is Good
	Codes    int       // different codes of a keying; 0 unless under 9 in 10 of those of ideal codes
	Random   Unrelated // distances of random vectors
}

// Unrelated compares distances of random vectors with those of the ideal source.
type Unrelated struct {
	Pairs                   int
	Mean, IdealMean         float64 // bits
	Variance, IdealVariance float64 // variance within a keying, averaged over keyings
}

// EmptyBits returns the bits that are constant, or copies or complements of lower bits.
func (q *BitQuality) EmptyBits() []int {
	return slices.Sorted(slices.Values(slices.Concat(q.Constant, q.Copied)))
}

// BitRanges formats ascending bits, with a range for three or more in a row: "3, 5, 6, 32–63".
func BitRanges(bits []int) string {
	const shown = 6
	var list []string
	for len(bits) > 0 {
		if len(list) == shown {
			return strings.Join(list, ", ") + " ..."
		}
		n := 1
		for n < len(bits) && bits[n] == bits[0]+n {
			n++
		}
		if n < 3 {
			list, bits = append(list, fmt.Sprint(bits[0])), bits[1:]
			continue
		}
		list, bits = append(list, fmt.Sprintf("%d–%d", bits[0], bits[n-1])), bits[n:]
	}
	return strings.Join(list, ", ")
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
