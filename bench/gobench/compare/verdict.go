package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/english"
)

// Verdict says what a row shows.
type Verdict string

const (
	Regression  Verdict = "REGRESSION"
	Improvement Verdict = "improvement"
	Small       Verdict = "small"     // significant, but within the threshold
	NoChange    Verdict = "no change" // the interval lies within the threshold
	Unclear     Verdict = "unclear"   // not significant, and too noisy for no change
	Changed     Verdict = "changed"   // significant, but nobody says what is better
	New         Verdict = "new"
	Missing     Verdict = "missing"
	TooFew      Verdict = "too few samples"
	Inexact     Verdict = "inexact" // the unit is declared exact, and the samples differ
)

// Verdicts lists all verdicts, those first that matter most.
func Verdicts() []Verdict {
	return []Verdict{Regression, Improvement, Changed, Small, Unclear, NoChange, New, Missing, TooFew, Inexact}
}

// Compared reports whether a row of that verdict has an effect.
func (v Verdict) Compared() bool {
	return !slices.Contains([]Verdict{New, Missing, TooFew, Inexact}, v)
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

// judge adjusts the p values, and gives every row that has an effect its verdict.
func (b *builder) judge() {
	var raw []float64
	for _, r := range b.report.rows() {
		if r.Verdict.Compared() && r.Effect.Noise && !r.judged {
			raw = append(raw, r.Effect.P)
		}
	}
	adjusted := holm(raw)
	for t, r := range b.report.rows() {
		if !r.Verdict.Compared() {
			continue
		}
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
	}
}

// fewRuns says how many process runs the sides have: "1 run of each side".
func fewRuns(r Row) string {
	if r.Old.Runs == r.New.Runs {
		return english.Count(r.Old.Runs, "run") + " of each side"
	}
	return fmt.Sprintf("%s of one side and %d of the other", english.Count(r.Old.Runs, "run"), r.New.Runs)
}

// mayBePlacement reports whether the difference may come from where code and data lie.
func mayBePlacement(t Table, r Row) bool {
	if r.judged || !r.Effect.Noise || CountsAllocations(t.Unit) || min(r.Old.Runs, r.New.Runs) >= MinRuns {
		return false
	}
	return r.Effect.Change < PlacementChange && r.Effect.Change > -PlacementChange/(1+PlacementChange)
}

// CountsAllocations reports whether a tidied unit counts what a program allocates.
func CountsAllocations(unit string) bool { return unit == "B/op" || unit == "allocs/op" }

// Conclusion says in words what the exit code says, without a full stop.
func (r *Report) Conclusion() string {
	same := english.Count(len(r.Same), "package")
	switch {
	case len(r.Same) == 0:
		return r.conclusion()
	case len(r.Tables) == 0 && r.OpenGaps() == 0:
		return fmt.Sprintf("nothing to measure: both sides build the same test %s of %s", english.Plural(len(r.Same), "binary", "binaries"), same)
	}
	return fmt.Sprintf("%s; %s not measured, with the same test binary on both sides", r.conclusion(), same)
}

func (r *Report) conclusion() string {
	count, compared, open := r.Count(), 0, r.OpenGaps()
	for verdict, n := range count {
		if verdict.Compared() {
			compared += n
		}
	}
	comparisons := english.Count(compared, "comparison")
	missed := english.Count(open, "thing") + " could not be compared"
	switch n := count[Regression]; {
	case n > 0 && open > 0:
		return fmt.Sprintf("%s in %s, and %s", english.Count(n, "regression"), comparisons, missed)
	case n > 0:
		return fmt.Sprintf("%s in %s", english.Count(n, "regression"), comparisons)
	case open > 0 && compared == 0:
		return "nothing could be compared"
	case open > 0:
		return fmt.Sprintf("no regression in %s, but %s and may hide one", comparisons, missed)
	case compared == 0:
		return "nothing was compared"
	case count[Unclear] == compared:
		return fmt.Sprintf("nothing can be told: %s too noisy", english.Plural(compared, "the only comparison is", fmt.Sprintf("all %d comparisons are", compared)))
	case count[Unclear] > 0:
		return fmt.Sprintf("no regression in %s, but %d %s too noisy to tell", comparisons, count[Unclear], english.Plural(count[Unclear], "is", "are"))
	}
	return "no regression in " + comparisons
}

// Verdict is the conclusion with the largest regression, or else the noisiest unclear row.
func (r *Report) Verdict() string {
	count := r.Count()
	switch {
	case count[Regression] > 0:
		return r.Conclusion() + "; worst: " + r.first(Regression, func(t Table, row Row) float64 { return cost(t, row.Effect) })
	case count[Unclear] > 0 && r.OpenGaps() == 0:
		return r.Conclusion() + "; noisiest: " + r.first(Unclear, func(_ Table, row Row) float64 { return row.Effect.Detectable })
	}
	return r.Conclusion()
}

// cost is how much worse a row got, on a logarithmic scale: half the rate is twice the time.
func cost(t Table, e Effect) float64 { return -float64(t.Better) * math.Log1p(max(e.Change, -1)) }

// first names the row of a verdict with the highest score: "Parse/size=1k-2 sec/op +8.14%". Of rows
// whose scores differ only by rounding, as those of a time and its rate do, it is the first.
func (r *Report) first(v Verdict, score func(Table, Row) float64) string {
	var table Table
	var row *Row
	for t, candidate := range r.rows() {
		if candidate.Verdict == v && (row == nil || score(t, *candidate) > (1+1e-9)*score(table, *row)) {
			table, row = t, candidate
		}
	}
	words := []string{row.Name, table.Unit}
	if v == Regression {
		words = append(words, SignedPercent(row.Effect.Change))
	}
	packageOf := func(t Table) string { return resultfile.ValueOf(t.Config, "pkg") }
	several := func(of func(Table) string) bool {
		return slices.ContainsFunc(r.Tables, func(t Table) bool { return of(t) != of(table) })
	}
	if several(packageOf) && packageOf(table) != "" {
		words = append(words, "of "+packageOf(table))
	}
	if several(func(t Table) string { return t.New }) {
		words = append(words, "in "+table.New)
	}
	return strings.Join(words, " ")
}

// Summary counts the rows of each verdict, and says which change would have shown.
func (r *Report) Summary() string {
	count := r.Count()
	var parts []string
	for _, v := range Verdicts() {
		if n := count[v]; n > 0 {
			parts = append(parts, v.count(n))
		}
	}
	text := "nothing compared"
	if len(parts) > 0 {
		text = strings.Join(parts, ", ")
	}
	if d := r.detectable(); d > 0 {
		which := "in a typical benchmark"
		if count[Regression]+count[Improvement]+count[Changed] > 0 { // which may have changed by less
			which = "in a typical one of the others"
		}
		text += fmt.Sprintf("; %s a change of %s or more would have shown", which, percent(math.Round(d*1000)/1000))
	}
	return text
}

func (v Verdict) count(n int) string {
	switch v {
	case Regression, Improvement:
		return english.Count(n, strings.ToLower(string(v)))
	case Small:
		return english.Count(n, "small change")
	case NoChange, TooFew:
		return fmt.Sprintf("%d with %s", n, v)
	}
	return fmt.Sprintf("%d %s", n, v)
}

// detectable is the median of the changes that would have been noticed in rows with noise.
func (r *Report) detectable() float64 {
	var all []float64
	for t, row := range r.rows() {
		if row.Effect.Noise && !row.Verdict.beyond() {
			all = append(all, max(row.Effect.Detectable, t.Threshold))
		}
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	if d := all[len(all)/2]; !math.IsInf(d, 0) {
		return d
	}
	return 0
}

func (b *builder) notef(format string, arguments ...any) {
	b.report.Notes = append(b.report.Notes, fmt.Sprintf(format, arguments...))
}

// noteHeads reports conditions in which the files differ, such as the version of Go.
func (b *builder) noteHeads(inputs []Input, documents []*resultfile.Document) {
	for _, name := range []string{"go", "kernels", "tier", "data"} {
		old := resultfile.ValueOf(documents[0].Head, name)
		for i, in := range inputs[1:] {
			if new := resultfile.ValueOf(documents[i+1].Head, name); old != "" && new != "" && old != new {
				b.notef("%s is %q in %s, but %q in %s", name, old, inputs[0].Label, new, in.Label)
			}
		}
	}
}

// noteRuns warns of comparisons that rest on few process runs, unless gaps do.
func (b *builder) noteRuns() {
	if slices.ContainsFunc(b.report.Gaps, func(g Gap) bool { return g.Kind == GapRuns }) {
		return
	}
	rows, few, withheld := 0, 0, 0
	for _, r := range b.report.rows() {
		if !r.Verdict.Compared() || !r.Effect.Noise || r.judged {
			continue
		}
		rows++
		if min(r.Old.Runs, r.New.Runs) < MinRuns {
			few++
		}
		if r.Withheld != "" {
			withheld++
		}
	}
	if few == 0 {
		return
	}
	text := fmt.Sprintf("%d of %s %s on fewer than %d runs a side. Recordings of equal code differ by up to 50%% here.",
		few, english.Count(rows, "comparison"), english.Plural(few, "rests", "rest"), MinRuns)
	if withheld > 0 {
		text += fmt.Sprintf(" So %s that would be significant %s unclear.", english.Count(withheld, "change"), english.Plural(withheld, "is", "are"))
	}
	b.notef("%s Append several runs to each file, or use fphash ab.", text)
}

// noteShift reports that nearly all rows moved the same way, as with another clock frequency.
func (b *builder) noteShift() {
	var costs []float64 // by how much each row got worse
	for t, r := range b.report.rows() {
		if r.Verdict.Compared() && r.Effect.Noise && !r.judged && t.Better != 0 && !math.IsInf(r.Effect.Change, 0) {
			cost := math.Log1p(max(r.Effect.Change, -0.999))
			costs = append(costs, cost*-float64(t.Better))
		}
	}
	if len(costs) < 10 {
		return
	}
	slices.Sort(costs)
	n := len(costs)
	lo, middle, hi := costs[n/10], costs[n/2], costs[n-1-n/10]
	if math.Abs(middle) < 0.01 || (lo < 0) != (hi < 0) {
		return
	}
	b.notef("nearly all of the %d comparisons with noise have moved the same way, by %s in the middle: so they do where the clock is faster or slower, a neighbour is busy, or the compiler is another one",
		n, SignedPercent(math.Expm1(middle)))
}

// noteMixed reports projections that put different benchmarks into one row.
func (b *builder) noteMixed() {
	said := map[string]bool{}
	for _, r := range b.report.rows() {
		for _, s := range []Side{r.Old, r.New} {
			if s.series == nil {
				continue
			}
			if mixed := s.series.mixed(); mixed != "" && !said[mixed] {
				said[mixed] = true
				b.notef("%s throws results together that differ in %s", r.Name, mixed)
			}
		}
	}
}
