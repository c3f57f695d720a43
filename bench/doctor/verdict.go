package doctor

import (
	"fmt"
	"slices"

	"simhashkit/bench"
	"simhashkit/bench/advice"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/quality"
	"simhashkit/internal/english"
)

// Examination is the result of examining a hash.
type Examination struct {
	Encoding  string // "" if the hash is a function of the index
	Bits      int
	Results   []*quality.Result // one for each pattern and kind of weights
	Judgement quality.Judgement // weak if one result is, good if all are, else undecided
	Words     string            // the judgement explained by the worst result
	Cost      *Cost             // of asking a command; nil for a function
}

// conclude draws one verdict from all results, as package advice does, and says what to do about
// empty bits.
func (e *Examination) conclude() {
	rows, _ := bench.ResultRows(e.Results)
	choice := advice.Choices(advice.NewSet([]advice.Source{{File: resultfile.File{Rows: rows}}}), func(advice.Case) bool { return true })[0]
	e.Judgement, e.Words = choice.Verdict(), choice.Words()+e.advice()
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
