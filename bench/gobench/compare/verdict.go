package compare

import (
	"fmt"
	"math"
	"slices"

	"simhashkit/internal/english"
)

// Verdict says what a row shows.
type Verdict string

const (
	Regression  Verdict = "REGRESSION"
	Improvement Verdict = "improvement"
	Small       Verdict = "small"     // significant, but within the threshold
	NoChange    Verdict = "no change" // the interval lies within the threshold
	// not significant, and too noisy to rule out a change beyond the threshold
	Unclear Verdict = "unclear"
	// significant and beyond the threshold, but nobody says which direction is better
	Changed   Verdict = "changed"
	New       Verdict = "new"
	Missing   Verdict = "missing"
	TooFew    Verdict = "too few samples"
	Inexact   Verdict = "inexact"    // the unit is declared exact, and the samples differ
	NotJudged Verdict = "not judged" // the unit is declared judge=no
)

// Verdicts lists all verdicts, those first that matter most.
func Verdicts() []Verdict {
	return []Verdict{Regression, Improvement, Changed, Small, Unclear, NoChange, New, Missing, TooFew, Inexact, NotJudged}
}

// Compared reports whether a row of that verdict has an effect.
func (v Verdict) Compared() bool {
	return !slices.Contains([]Verdict{New, Missing, TooFew, Inexact, NotJudged}, v)
}

// beyond reports whether the verdict is that of a significant change beyond the threshold.
func (v Verdict) beyond() bool { return v == Regression || v == Improvement || v == Changed }

// verdictOf is the rule that the package documentation explains.
func verdictOf(t Table, e Effect, alpha float64) Verdict {
	matters := math.Abs(e.Change) > t.Threshold
	switch {
	case e.P > alpha && max(math.Abs(e.Lo), math.Abs(e.Hi)) <= t.Threshold:
		return NoChange
	case e.P > alpha && !e.Noise: // exact values that differ by less than is written of them
		return NoChange
	case e.P > alpha:
		return Unclear
	case !matters:
		return Small
	case t.Better == 0:
		return Changed
	case (e.Change > 0) == (t.Better > 0):
		return Improvement
	}
	return Regression
}

// judge adjusts the p values for the number of comparisons with noise and gives every row that has
// an effect its verdict.
func (b *builder) judge() {
	var raw []float64
	b.compared(func(t Table, r *Row) {
		if r.Effect.Noise && !r.judged {
			raw = append(raw, r.Effect.P)
		}
	})
	adjusted := holm(raw)
	b.compared(func(t Table, r *Row) {
		if r.Effect.Noise && !r.judged {
			r.Effect.P, adjusted = adjusted[0], adjusted[1:]
			r.Effect.Detectable = r.Effect.detectable(b.options.Alpha / float64(len(raw)))
		}
		r.Verdict = verdictOf(t, r.Effect, b.options.Alpha)
		if r.Verdict.beyond() && mayBePlacement(t, *r) && !slices.Contains(b.options.Accept, GapRuns) {
			r.Verdict, r.Withheld = Unclear, r.Verdict
		}
		switch {
		case r.Withheld != "" && b.options.Strict:
			b.gap(GapRuns, r.New, r.Name, t.Unit, fmt.Sprintf("%s seems to have changed, but %s may do that by chance: record %d of each side, or use fphash ab; --accept runs judges it nevertheless",
				r.Name, fewRuns(*r), MinRuns))
		case r.Verdict == Changed:
			b.gap(GapDirection, r.New, r.Name, t.Unit, fmt.Sprintf("%s has changed, and nothing says whether more is better; expected a line: Unit UNIT better=higher (or lower)", r.Name))
		case r.Verdict == Unclear && b.options.Strict:
			b.gap(GapUnclear, r.New, r.Name, t.Unit, fmt.Sprintf("%s is too noisy to tell a change of %s from none", r.Name, percent(t.Threshold)))
		}
	})
}

// fewRuns says how many process runs the sides have: "1 run of each side".
func fewRuns(r Row) string {
	if r.Old.Runs == r.New.Runs {
		return english.Count(r.Old.Runs, "run") + " of each side"
	}
	return fmt.Sprintf("%s of one side and %d of the other", english.Count(r.Old.Runs, "run"), r.New.Runs)
}

// mayBePlacement reports whether the difference may come from where code and data of a process lie,
// and not from the program. How much a program allocates does not depend on that.
func mayBePlacement(t Table, r Row) bool {
	if r.judged || !r.Effect.Noise || CountsAllocations(t.Unit) || min(r.Old.Runs, r.New.Runs) >= MinRuns {
		return false
	}
	return r.Effect.Change < PlacementChange && r.Effect.Change > -PlacementChange/(1+PlacementChange)
}

// CountsAllocations reports whether a tidied unit is one of those in which the go command counts
// what a program allocates. Other units may be constant by the clock's resolution.
func CountsAllocations(unit string) bool { return unit == "B/op" || unit == "allocs/op" }
