package quality

import "simhashkit/bench/terms"

// Judgement is the verdict on a hash on a workload. Package advice has the words.
type Judgement = terms.Judgement

// The judgements. What judges is the estimator; a deviation that is significant but does not cost
// bits is no fault of the hash. Hard defects, bits that are constant, copies or complements of
// others, are Weak whatever the estimator says: somebody pays for bits that are not there.
const (
	// the interval's lower end is at least 0.9 f, over all angles and at cosine 0.9 and above (or
	// in the one of these bands that has 30 pairs), bits were tested, and none is dead or copied
	Good = terms.Good
	// an interval's upper end is below 0.9 f, or bits are dead or copied, however few pairs and
	// keyings there are: an ideal source has none
	Weak = terms.Weak
	// the intervals support neither, or there are too few pairs, keyings or indices to say
	Undecided = terms.Undecided
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
