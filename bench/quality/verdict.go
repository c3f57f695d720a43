package quality

import (
	"fmt"
	"strings"

	"simhashkit/bench/terms"
	"simhashkit/internal/english"
)

// Judgement is what a verdict comes to.
type Judgement = terms.Judgement

// The judgements. What judges is the estimator; a deviation that is significant but does not cost
// bits is no fault of the hash. Hard defects, bits that are constant, copies or complements of
// others, are Weak whatever the estimator says: somebody pays for bits that are not there.
const (
	// the interval's lower end is at least 0.9 f, over all angles and at cosine 0.9 and above (or in
	// the one of these bands that has 30 pairs), bits were tested, and none is dead or copied
	Good = terms.Good
	// an interval's upper end is below 0.9 f, or bits are dead or copied
	Weak = terms.Weak
	// the intervals support neither, or there are too few pairs, keyings or indices to say
	Undecided = terms.Undecided
)

// Verdict is the judgement of a hash on a workload, in words.
type Verdict struct {
	Judgement Judgement
	Words     string // as in "9.0 of 64 bits on decimal keys of runs of consecutive indices"
}

// String returns the judgement and the words.
func (v Verdict) String() string { return v.Judgement.String() + ": " + v.Words }

// Worst returns the band with the fewer effective bits, and its description, "" for all angles;
// false where no band is defined.
func (r *Result) Worst() (band Band, where string, ok bool) {
	switch {
	case !r.All.Defined && !r.Cos90.Defined:
		return Band{}, "", false
	case !r.All.Defined || r.Cos90.Defined && r.Cos90.Effective.Value < r.All.Effective.Value:
		return r.Cos90, "at cosine 0.9 and above", true
	}
	return r.All, "", true
}

// judge applies the rules of the judgements.
func (w *Workload) judge(r *Result) Verdict {
	on := "on " + terms.Keys(r.Encoding, string(w.options.Pattern))
	defects := r.Bit.defects()
	if r.Keyings < leastKeyings {
		if defects != "" { // an ideal source has none, however little is measured
			return Verdict{Weak, defects + " " + on}
		}
		return Verdict{Undecided, fmt.Sprintf("%s too few %s: at least %d are needed", plural(r.Keyings, "keying", "keyings", "", "is", "are"), on, leastKeyings)}
	}
	var weak, open []string
	for _, b := range []struct {
		Band
		where string
	}{{r.All, ""}, {r.Cos90, " at cosine 0.9 and above"}} {
		least := terms.GoodPart * float64(r.Bits)
		switch {
		case b.Pairs < leastPairs && max(r.All.Pairs, r.Cos90.Pairs) >= leastPairs: // short vectors have no near-duplicates
		case !b.Defined:
			open = append(open, b.undefined(b.where))
		case b.Effective.High < least && len(weak) > 0:
			weak[0] += fmt.Sprintf(" (%s%s)", terms.Bits(b.Effective.Value), b.where)
		case b.Effective.High < least:
			weak = append(weak, terms.Bits(b.Effective.Value)+" of "+fmt.Sprint(r.Bits)+" bits"+b.where)
		case b.Effective.Low < least:
			open = append(open, fmt.Sprintf("between %s and %s of %d bits%s, where a good hash has at least %s", terms.Bits(b.Effective.Low),
				terms.Bits(b.Effective.High), r.Bits, b.where, terms.Bits(least)))
		}
	}
	switch {
	case len(weak) > 0 || defects != "":
		if defects != "" {
			weak = append(weak, defects)
		}
		return Verdict{Weak, strings.Join(weak, ", ") + " " + on}
	case len(open) > 0:
		return Verdict{Undecided, strings.Join(open, "; ") + " " + on}
	case !r.Bit.Tested:
		return Verdict{Undecided, fmt.Sprintf("%s too few to test single bits", plural(r.Keys, "index", "indices", "", "is", "are"))}
	}
	worst, _, _ := r.Worst()
	return Verdict{Good, fmt.Sprintf("%s of %d bits (at least %s) %s", terms.Bits(worst.Effective.Value), r.Bits, terms.Bits(worst.Effective.Low), on)}
}

// undefined says why a band has no interval, in a workload with enough keyings.
func (b *Band) undefined(where string) string {
	if b.Pairs < leastPairs {
		return fmt.Sprintf("%s too few for an interval: at least %d are needed", plural(b.Pairs, "pair", "pairs", where, "is", "are"), leastPairs)
	}
	return fmt.Sprintf("the distances of %d pairs%s are the same in most keyings, so there is nothing to compare, as with opposites and vectors that nearly agree",
		b.Pairs, where)
}

// plural writes a number with the noun, what belongs to the noun, and the verb: "1 pair at cosine
// 0.9 and above is".
func plural(n int, one, many, where, verb, verbs string) string {
	return fmt.Sprint(n, " ", english.Plural(n, one, many), where, " ", english.Plural(n, verb, verbs))
}

// defects names bits that carry nothing of their own: "21 constant bits (0–20) and 2 copied or
// inverted from others (40, 41)".
func (q *BitQuality) defects() string {
	bits := func(n int) string { return english.Plural(n, "bit", "bits") }
	var parts []string
	if n := len(q.Constant); n > 0 {
		parts = append(parts, fmt.Sprintf("%d constant %s (%s)", n, bits(n), BitRanges(q.Constant)))
	}
	if copied := q.Copied; len(copied) > 0 {
		noun := ""
		if len(parts) == 0 {
			noun = " " + bits(len(copied))
		}
		parts = append(parts, fmt.Sprintf("%d%s copied or inverted from others (%s)", len(copied), noun, BitRanges(copied)))
	}
	return strings.Join(parts, " and ")
}
