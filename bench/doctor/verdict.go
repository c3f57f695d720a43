package doctor

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"simhashkit/bench/quality"
	"simhashkit/internal/english"
)

// Examination is what was found out about a hash.
type Examination struct {
	Encoding  string // "" if the hash is a function of the index
	Bits      int
	Results   []*quality.Result // one for each pattern and kind of weights
	Judgement quality.Judgement // weak if one result is, good if all are, else undecided
	Words     string            // the judgement explained by the worst result
	Cost      *Cost             // of asking a command; nil for a function
}

// conclude draws one verdict from all results, and says what to do about empty bits.
func (e *Examination) conclude() {
	e.judge()
	e.Words += e.advice()
}

// advice is to drop the bits that carry nothing in any result. One pattern of indices does not
// tell: on others they may be alive. The user's own vectors do.
func (e *Examination) advice() string {
	patterns := map[string]bool{}
	empty := e.Results[0].Bit.EmptyBits()
	for _, r := range e.Results {
		patterns[r.Pattern] = true
		also := r.Bit.EmptyBits()
		empty = slices.DeleteFunc(empty, func(j int) bool { return !slices.Contains(also, j) })
	}
	n := len(empty)
	if n == 0 || n == e.Bits || len(patterns) == 1 && !patterns[string(quality.Data)] {
		return ""
	}
	where := "on these vectors"
	if len(e.Results) > 1 {
		where = fmt.Sprintf("in any of the %d cases", len(e.Results))
	}
	return fmt.Sprintf("; %s %s %s nothing %s: drop %s and examine the other %d", english.Plural(n, "bit", "bits"), quality.BitRanges(empty), english.Plural(n, "carries", "carry"), where,
		english.Plural(n, "it", "them"), e.Bits-n)
}

// judge judges by the worst result.
func (e *Examination) judge() {
	by := map[quality.Judgement][]*quality.Result{}
	e.Judgement = quality.Good
	for _, r := range e.Results {
		by[r.Verdict.Judgement] = append(by[r.Verdict.Judgement], r)
		e.Judgement = min(e.Judgement, r.Verdict.Judgement)
	}
	deciding, open := by[e.Judgement], by[quality.Undecided]
	at := worst(deciding)
	if len(e.Results) == 1 {
		e.Words = at.Verdict.String()
		return
	}
	e.Words = fmt.Sprintf("%s in %d of %d cases; the worst is %s: %s", e.Judgement, len(deciding), len(e.Results), caseName(at), at.Verdict.Words)
	switch {
	case e.Judgement == quality.Weak && len(open) > 0:
		e.Words += fmt.Sprintf("; undecided in %s", cases(open))
	case e.Judgement == quality.Undecided:
		e.Words += fmt.Sprintf("; undecided are %s, none is weak", cases(open))
	}
}

// worst returns the result whose bits are worth least, in the worse of its two bands.
func worst(results []*quality.Result) *quality.Result {
	least, at := math.Inf(1), results[0]
	for _, r := range results {
		if band, _, ok := r.Worst(); ok && band.Effective.Value < least {
			least, at = band.Effective.Value, r
		}
	}
	return at
}

func cases(results []*quality.Result) string {
	var names []string
	for _, r := range results {
		names = append(names, caseName(r))
	}
	return strings.Join(names, ", ")
}

// caseName names pattern and weights, the usual ones by silence.
func caseName(r *quality.Result) string {
	if r.Weights == string(quality.Unit) {
		return r.Pattern
	}
	return r.Pattern + " with " + r.Weights + " weights"
}
