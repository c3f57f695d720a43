package quality

import (
	"fmt"
	"slices"
	"strings"

	"simhashkit/bench/terms"
)

// Result is the measurement of one hash on one workload.
type Result struct {
	Hash     string
	Encoding string
	Pattern  string // of the workload, as in "dense1e3"
	Weights  string // of the workload, as in "unit"
	Bits     int    // f
	Keyings  int    // number of seeds, or index maps, that the figures average over
	Keys     int    // different indices in one keying

	All     Band // angles uniform over the range, or those of given vectors
	Cos90   Band // pairs at cosine 0.9 and above
	Bit     BitQuality
	Verdict Judgement
}

// Band is the quality of the estimator over some of the pairs.
type Band struct {
	Pairs   int
	Defined bool // false: too few pairs or keyings, or no error; the other fields are zero

	Effective     Interval // f · MSE of the ideal source / MSE of the hash
	Hash, Ideal   Errors
	VarianceRatio float64 // hash / ideal: 2 for a hash with half the bits
}

// Interval is a figure with its 95 % confidence interval, which accounts for other keyings and
// pairs.
type Interval struct{ Value, Low, High float64 }

// Errors are the errors of the estimated angle, in radians. Bias2 + Variance = MSE.
type Errors struct {
	Bias     float64 // mean error: negative if estimates are too small
	Bias2    float64 // mean over the pairs of the squared mean error
	Variance float64 // mean over the pairs of the variance over the keyings
	MSE      float64 // mean squared error
	RMSE     float64 // its root
}

// BitQuality describes the bits of codes, independently of vectors: it says what is wrong with a
// hash, not how much that matters. If a keying has fewer than 64 indices, bits are tested over all
// keys of so many keyings that there are 64 keys, and Constant has the bits that are constant in
// each of these keyings.
type BitQuality struct {
	Constant  []int     // bits that are constant in at least half of the keyings
	Copied    []int     // other bits that equal a lower bit or its complement
	Tested    bool      // there were at least 64 keys; otherwise no hash is Good
	Bias      Deviation // of a bit's share of ones from 1/2
	Pairwise  Deviation // of two bits' correlation from 0
	Avalanche Deviation // of the share of changes, from 1/2, when a bit of the index flips
	Random    Unrelated // distances of random vectors
}

// Deviation is the largest deviation among many tests of one kind.
type Deviation struct {
	Value float64 // absolute
	P     float64 // of the most significant test, corrected (Bonferroni)
}

// Unrelated compares distances of random vectors with those of the ideal source.
type Unrelated struct {
	Pairs                   int
	Mean, IdealMean         float64 // bits
	Variance, IdealVariance float64 // within a keying; mean over the keyings
	MeanP, VarianceP        float64 // corrected for all tests of the result (Bonferroni)
}

// EmptyBits returns the bits that are constant, or copies or complements of lower ones.
func (q *BitQuality) EmptyBits() []int {
	return slices.Sorted(slices.Values(slices.Concat(q.Constant, q.Copied)))
}

// BitRanges lists ascending bits, three or more in a row as a range: "3, 5, 6, 32–63".
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

// Judgement is the verdict on a hash on a workload. Package advice has the words.
type Judgement = terms.Judgement

// The judgements. They depend on the estimator: a deviation that is significant but does not cost
// bits is no fault of the hash. But hard defects, which are bits that are constant, copies or
// complements of others, make a hash Weak whatever the estimator says, because users pay for bits
// without information.
const (
	// The lower end of the interval is at least 0.9 f, over all angles and at cosine 0.9 and above
	// (or in the only one of these bands that has 30 pairs), bits were tested, and no bit is dead
	// or copied.
	Good      = terms.Good
	Weak      = terms.Weak      // an upper end is below 0.9 f, or bits are dead or copied
	Undecided = terms.Undecided // intervals support neither, or there are too few data
)

// judge applies the rules of the judgements.
func judge(r *Result) Judgement {
	least := terms.GoodPart * float64(r.Bits)
	verdict := Good
	for _, b := range []Band{r.All, r.Cos90} {
		switch {
		case b.Pairs < leastPairs && max(r.All.Pairs, r.Cos90.Pairs) >= leastPairs: // short vectors have no near-duplicates
		case !b.Defined:
			verdict = min(verdict, Undecided)
		case b.Effective.High < least:
			verdict = Weak
		case b.Effective.Low < least:
			verdict = min(verdict, Undecided)
		}
	}
	switch {
	case len(r.Bit.Constant)+len(r.Bit.Copied) > 0:
		return Weak
	case r.Keyings < terms.LeastKeyings:
		return Undecided
	case !r.Bit.Tested:
		return min(verdict, Undecided)
	}
	return verdict
}
