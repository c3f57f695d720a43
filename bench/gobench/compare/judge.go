package compare

import (
	"fmt"
	"math"
	"slices"
)

// confidence is the level of the intervals of effects.
const confidence = 0.95

// exactTolerance is the relative difference up to which exact values are equal: one unit of the
// eighth digit, to which files write them.
const exactTolerance = 1.01e-7

func sameExact(a, b float64) bool {
	return math.Abs(a-b) <= exactTolerance*max(math.Abs(a), math.Abs(b))
}

// Relative returns by how much b is more than a.
func Relative(a, b float64) float64 {
	if a == b {
		return 0
	}
	return (b - a) / math.Abs(a)
}

// effectOf compares the sides of a row that has both. Its P is not adjusted yet.
func effectOf(t Table, r Row) Effect {
	if t.Exact {
		change := Relative(r.Old.Median, r.New.Median)
		e := Effect{Change: change, Lo: change, Hi: change, P: 1}
		if !sameExact(r.Old.Median, r.New.Median) {
			e.P = 0
		}
		return e
	}
	d, relativeChange := differ(r.Old.series.byRun(), r.New.series.byRun())
	lo, hi := d.interval(confidence)
	detectable := func(alpha float64) float64 { return relativeChange(d.detectable(alpha)) }
	return Effect{Change: relativeChange(d.delta), Lo: relativeChange(lo), Hi: relativeChange(hi), P: d.p, Noise: d.standard > 0, Stretched: d.stretched, detectable: detectable}
}

// differ compares samples, and returns with the difference the function that turns differences into
// relative changes.
func differ(old, new [][]float64) (d difference, relativeChange func(float64) float64) {
	noise := DefaultRunNoise
	if constant(old) && constant(new) {
		noise = 0 // allocations, say, that have none
	}
	if positive(old) && positive(new) {
		return welch(ofRuns(logarithms(old), noise), ofRuns(logarithms(new), noise)), math.Expm1
	}
	old, new = scaled(old, new) // squares of large values would overflow
	base := math.Abs(trimmedMean(slices.Concat(old...)).location)
	return welch(ofRuns(old, noise*base), ofRuns(new, noise*base)), func(delta float64) float64 {
		if delta == 0 {
			return 0 // and not 0/0
		}
		return delta / base
	}
}

func positive(runs [][]float64) bool {
	return !slices.ContainsFunc(runs, func(r []float64) bool { return slices.Min(r) <= 0 })
}

func constant(runs [][]float64) bool {
	first := runs[0][0]
	return !slices.ContainsFunc(runs, func(r []float64) bool { return slices.Min(r) != first || slices.Max(r) != first })
}

// scaled divides both by the largest absolute value.
func scaled(a, b [][]float64) (scaledA, scaledB [][]float64) {
	largest := math.SmallestNonzeroFloat64
	for _, r := range slices.Concat(a, b) {
		largest = max(largest, slices.Max(r), -slices.Min(r))
	}
	divide := func(v float64) float64 { return v / largest }
	return each(a, divide), each(b, divide)
}

func logarithms(runs [][]float64) [][]float64 { return each(runs, math.Log) }

// each applies a function to every value.
func each(runs [][]float64, f func(float64) float64) [][]float64 {
	list := make([][]float64, len(runs))
	for i, r := range runs {
		list[i] = make([]float64, len(r))
		for j, v := range r {
			list[i][j] = f(v)
		}
	}
	return list
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
		case r.Withheld != "":
			b.gap(GapRuns, r.New, r.Name, t.Unit, fmt.Sprintf("%s seems to have changed, but %s may do that by chance: measure %d of each side, with fphash bench --runs %d or by appending runs to a file, or use fphash ab; --accept runs judges it nevertheless",
				r.Name, fewRuns(*r), MinRuns, MinRuns))
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
		return plural(r.Old.Runs, "run") + " of each side"
	}
	return fmt.Sprintf("%s of one side and %d of the other", plural(r.Old.Runs, "run"), r.New.Runs)
}

// beyond reports whether the verdict is that of a significant change beyond the threshold.
func (v Verdict) beyond() bool { return v == Regression || v == Improvement || v == Changed }

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

// compared calls do for every row that has an effect.
func (b *builder) compared(do func(Table, *Row)) {
	for _, t := range b.report.Tables {
		for i := range t.Rows {
			if t.Rows[i].Verdict.Compared() {
				do(t, &t.Rows[i])
			}
		}
	}
}

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
