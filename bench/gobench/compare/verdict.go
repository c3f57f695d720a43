package compare

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchproc"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/english"
)

// Verdict is the result of a row.
type Verdict string

const (
	Regression  Verdict = "REGRESSION"
	Improvement Verdict = "improvement"
	Small       Verdict = "small"     // significant, but within the threshold
	NoChange    Verdict = "no change" // the interval lies within the threshold
	Unclear     Verdict = "unclear"   // not significant, and too noisy for no change
	Changed     Verdict = "changed"   // significant, but the better direction is unknown
	New         Verdict = "new"
	Missing     Verdict = "missing"
	TooFew      Verdict = "too few samples"
	Inexact     Verdict = "inexact" // the unit is declared exact, but the samples differ
)

// Verdicts lists all verdicts, the most important ones first.
func Verdicts() []Verdict {
	return []Verdict{Regression, Improvement, Changed, Small, Unclear, NoChange, New, Missing, TooFew, Inexact}
}

// Compared reports whether a row with this verdict has an effect.
func (v Verdict) Compared() bool {
	return !slices.Contains([]Verdict{New, Missing, TooFew, Inexact}, v)
}

// beyond reports whether the verdict means a significant change beyond the threshold.
func (v Verdict) beyond() bool { return v == Regression || v == Improvement || v == Changed }

// verdictOf returns the verdict according to the rule in the package documentation.
func verdictOf(t Table, e Effect, alpha float64) Verdict {
	matters := math.Abs(e.Change) > t.Threshold
	switch {
	case e.P > alpha && max(math.Abs(e.Lo), math.Abs(e.Hi)) <= t.Threshold:
		return NoChange
	case e.P > alpha && !e.Noise: // exact values that are equal after rounding
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

// judge adjusts the p values, and sets the verdict of every row that has an effect.
func (b *builder) judge() {
	var raw []float64
	for _, r := range b.report.rows() {
		if b.options.Judge == nil && r.Verdict.Compared() && r.Effect.Noise {
			raw = append(raw, r.Effect.P)
		}
	}
	adjusted := holm(raw)
	for t, r := range b.report.rows() {
		if !r.Verdict.Compared() {
			continue
		}
		if b.options.Judge == nil && r.Effect.Noise {
			r.Effect.P, adjusted = adjusted[0], adjusted[1:]
			r.Effect.Detectable = r.Effect.detectable(b.options.Alpha / float64(len(raw)))
		}
		r.Verdict = verdictOf(t, r.Effect, b.options.Alpha)
		if b.options.Judge == nil && r.Verdict.beyond() && mayBePlacement(t, *r) && !slices.Contains(b.options.Accept, GapRuns) {
			r.Verdict, r.Withheld = Unclear, r.Verdict
		}
		if r.Verdict == Changed {
			b.gap(GapDirection, r.New, r.Name, t.Unit, fmt.Sprintf("%s has changed, but its better direction is unknown; expected a line: Unit UNIT better=higher (or lower)", r.Name))
		}
	}
	b.undecided()
}

// undecided adds a gap if too many comparisons have no verdict.
func (b *builder) undecided() {
	if !b.report.mostlyUnclear() {
		return
	}
	var more []float64 // how many times as many samples would decide; the caller of Judge has its own advice
	for t, r := range b.report.rows() {
		if r.Verdict == Unclear && r.Withheld == "" {
			more = append(more, math.Pow(r.Effect.Detectable/t.Threshold, 2))
		}
	}
	unclear, noisy := b.report.unclear()
	message := fmt.Sprintf("%d of %s with noise %s no verdict", unclear, english.Count(noisy, "comparison"), english.Plural(unclear, "has", "have"))
	if b.options.Judge != nil {
		message += "; a larger --budget decides more of them, see the notes"
	} else if slices.Sort(more); len(more) > 0 {
		switch times := more[len(more)/2]; {
		case times > maxTimes:
			message += "; measure on a quieter machine"
		case times > 1:
			message += fmt.Sprintf("; about %.0f times as many samples would decide %s", math.Ceil(times), english.Plural(unclear, "it", "half of them"))
		}
	}
	b.gap(GapUnclear, Side{}, "", "", message)
}

// mayBePlacement reports whether the placement of code and data in memory, or the load at the time
// of a recording, may explain the difference. A side with one run says nothing about either.
func mayBePlacement(t Table, r Row) bool {
	if !r.Effect.Noise || CountsAllocations(t.Unit) || min(r.Old.Runs, r.New.Runs) >= MinRuns {
		return false
	}
	if min(r.Old.Runs, r.New.Runs) == 1 {
		return true
	}
	return r.Effect.Change < placementChange && r.Effect.Change > -placementChange/(1+placementChange)
}

// CountsAllocations reports whether a tidied unit counts allocations or allocated bytes.
func CountsAllocations(unit string) bool { return unit == "B/op" || unit == "allocs/op" }

// Conclusion describes the outcome in words, without a full stop.
func (r *Report) Conclusion() string {
	same := english.Count(len(r.Same), "package")
	switch {
	case len(r.Same) == 0:
		return r.conclusion()
	case len(r.Tables) == 0 && r.OpenGaps() == 0:
		return fmt.Sprintf("nothing to measure: both sides build the same test %s of %s", english.Plural(len(r.Same), "binary", "binaries"), same)
	}
	return fmt.Sprintf("%s; %s not measured, since the test binaries are identical", r.conclusion(), same)
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
	case n > 0:
		text := fmt.Sprintf("%s in %s", english.Count(n, "regression"), comparisons)
		if open > 0 {
			text += ", and " + missed
		}
		return text
	case open > 0 && compared == 0:
		return "nothing could be compared"
	case r.mostlyUnclear():
		unclear, noisy := r.unclear()
		text := fmt.Sprintf("no verdict: %d of %s %s undecided", unclear, english.Count(noisy, "comparison"), english.Plural(unclear, "is", "are"))
		if other := r.OpenGaps(GapUnclear); other > 0 {
			text += ", and " + english.Count(other, "thing") + " could not be compared"
		}
		return text
	case open > 0:
		return fmt.Sprintf("no regression in %s, but %s, which may hide one", comparisons, missed)
	case compared == 0:
		return "nothing was compared"
	case count[Unclear] > 0:
		return fmt.Sprintf("no regression in %s, but %d %s undecided", comparisons, count[Unclear], english.Plural(count[Unclear], "is", "are"))
	}
	return "no regression in " + comparisons
}

// mostlyUnclear reports whether too many of the comparisons with noise are unclear.
func (r *Report) mostlyUnclear() bool {
	unclear, noisy := r.unclear()
	return float64(unclear) > maxUnclear*float64(noisy) || r.strict && unclear > 0
}

// unclear counts the comparisons without a verdict, and those with noise, which could lack one. It
// ignores allocations: programs that allocate by chance would never have a verdict.
func (r *Report) unclear() (unclear, noisy int) {
	for t, row := range r.rows() {
		switch {
		case CountsAllocations(t.Unit):
		case row.Verdict == Unclear:
			unclear++
			noisy++
		case row.Verdict.Compared() && row.Effect.Noise:
			noisy++
		}
	}
	return unclear, noisy
}

// Verdict returns the conclusion with the largest regression, or else with the noisiest unclear
// row.
func (r *Report) Verdict() string {
	count := r.Count()
	switch {
	case count[Regression] > 0:
		return r.Conclusion() + "; worst: " + r.first(Regression, func(t Table, row Row) float64 { return cost(t, row.Effect) })
	case count[Unclear] > 0 && (r.OpenGaps() == 0 || r.mostlyUnclear()):
		return r.Conclusion() + "; noisiest: " + r.first(Unclear, func(_ Table, row Row) float64 { return row.Effect.Detectable })
	}
	return r.Conclusion()
}

// cost returns how much worse a row got, on a logarithmic scale: half the rate costs as much as
// twice the time.
func cost(t Table, e Effect) float64 { return -float64(t.Better) * math.Log1p(max(e.Change, -1)) }

// first describes the row of a verdict with the highest score: "Parse/size=1k-2 sec/op +8.14%". If
// scores differ only by rounding, such as those of a time and its rate, it chooses the first row.
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
		words = append(words, signedPercent(row.Effect.Change))
	}
	for i, name := range []string{"of " + resultfile.ValueOf(table.Config, "pkg"), "in " + table.New} {
		differs := func(t Table) bool { return []string{resultfile.ValueOf(t.Config, "pkg"), t.New}[i] != name[3:] }
		if name[3:] != "" && slices.ContainsFunc(r.Tables, differs) {
			words = append(words, name)
		}
	}
	return strings.Join(words, " ")
}

// Summary returns the number of rows of each verdict, and which change would have been detected.
func (r *Report) Summary() string {
	count := r.Count()
	var parts []string
	for _, v := range Verdicts() {
		if n := count[v]; n > 0 {
			parts = append(parts, v.count(n))
		}
	}
	text := cmp.Or(strings.Join(parts, ", "), "nothing compared")
	if d := r.detectable(); d > 0 {
		which := "in a typical benchmark"
		if count[Regression]+count[Improvement]+count[Changed] > 0 { // rows that have changed may have changed by less
			which = "in a typical other benchmark"
		}
		text += fmt.Sprintf("; %s a change of %s or more would have been detected", which, percent(math.Round(d*1000)/1000))
	}
	return text + r.means()
}

// means describes the geometric means of the changes in units with noise: "; geometric mean: sec/op
// +0.4%".
func (r *Report) means() (text string) {
	logs := map[string][]float64{}
	for t, row := range r.rows() {
		if row.Verdict.Compared() && row.Effect.Noise && row.Effect.Change > -1 && !math.IsInf(row.Effect.Change, 1) {
			logs[t.Unit] = append(logs[t.Unit], math.Log1p(row.Effect.Change))
		}
	}
	for _, unit := range slices.Sorted(maps.Keys(logs)) {
		if len(logs[unit]) > 1 {
			text += fmt.Sprintf(", %s %s", unit, signedPercent(math.Expm1(resultfile.Mean(logs[unit]))))
		}
	}
	if text == "" || r.mostlyUnclear() {
		return ""
	}
	return "; geometric mean: " + text[2:]
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

// detectable returns the median of the detectable changes of the rows with noise.
func (r *Report) detectable() float64 {
	var all []float64
	for t, row := range r.rows() {
		if row.Effect.Noise && !row.Verdict.beyond() && !CountsAllocations(t.Unit) {
			all = append(all, max(row.Effect.Detectable, t.Threshold))
		}
	}
	if slices.Sort(all); len(all) == 0 || math.IsInf(all[len(all)/2], 0) {
		return 0
	}
	return all[len(all)/2]
}

func (b *builder) notef(format string, arguments ...any) {
	b.report.Notes = append(b.report.Notes, fmt.Sprintf(format, arguments...))
}

// noteHeads notes different conditions of the files, such as the version of Go.
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

// noteRuns warns of comparisons of few process runs.
func (b *builder) noteRuns() {
	rows, few, withheld := 0, 0, 0
	for _, r := range b.report.rows() {
		if b.options.Judge != nil || !r.Verdict.Compared() || !r.Effect.Noise {
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
	text := fmt.Sprintf("%d of %s %s on fewer than %d runs per side. Such recordings of equal code can differ by 50%%.",
		few, english.Count(rows, "comparison"), english.Plural(few, "rests", "rest"), MinRuns)
	if withheld > 0 {
		text += fmt.Sprintf(" Therefore, %s that would be significant %s unclear.", english.Count(withheld, "change"), english.Plural(withheld, "is", "are"))
	}
	b.notef("%s Append several runs to each file, or use fphash ab.", text)
}

// noteMixed notes projections that merge different benchmarks into one row.
func (b *builder) noteMixed() {
	said := map[string]bool{}
	for _, r := range b.report.rows() {
		for _, s := range []Side{r.Old, r.New} {
			if s.series == nil {
				continue
			}
			var names []string
			for _, f := range benchproc.NonSingularFields(s.series.residues) {
				names = append(names, f.Name)
			}
			if mixed := strings.Join(names, ", "); mixed != "" && !said[mixed] {
				said[mixed] = true
				b.notef("%s merges results that differ in %s", r.Name, mixed)
			}
		}
	}
}
