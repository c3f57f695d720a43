package compare

import (
	"fmt"
	"iter"
	"math"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/perf/benchmath"
	"golang.org/x/perf/benchproc"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/english"
	"simhashkit/internal/gobench/samples"
)

// Table is the comparison of two columns in one unit.
type Table struct {
	Config    []resultfile.Field // common fields of all results: goos, goarch, pkg, cpu ...
	Unit      string             // tidied, such as sec/op for ns/op
	Exact     bool               // the unit is declared assume=exact
	Better    int                // +1: higher is better, -1: lower is better, 0: unknown
	Threshold float64            // smallest relative change that matters
	Old, New  string             // labels of the columns
	Rows      []Row
}

// Row is one benchmark. If only one column has it, the other side is empty.
type Row struct {
	Name     string
	Old, New Side
	Effect   Effect // not set unless Verdict.Compared
	Verdict  Verdict
	Withheld Verdict // if Verdict is Unclear because of few runs: the verdict with gaps of runs accepted
}

// Side summarizes a benchmark's samples in one column, as computed by benchstat's method or
// Options.Judge.
type Side struct {
	resultfile.Figure        // if the unit is exact, Median is the value
	Runs              int    // number of process runs of the samples
	File              string // file and line of the first sample
	Line              int

	series *series
}

func (b *builder) buildPair(old, new benchproc.Key) {
	both := map[benchproc.Key][]benchproc.Key{}
	for _, col := range []benchproc.Key{old, new} {
		for table, rows := range b.rows[col] {
			both[table] = append(both[table], rows...)
		}
	}
	elsewhere := b.unmatched(old, new)
	for _, table := range sortedKeys(both) {
		if elsewhere[table] {
			continue
		}
		unit := table.Get(b.unit)
		t := Table{Unit: unit, Better: b.better(unit), Exact: b.reader.Exact(unit), Old: old.StringValues(), New: new.StringValues(), Config: FieldsOf(table)}
		t.Threshold = b.options.Threshold.Of(unit, t.Exact)
		rows := both[table]
		benchproc.SortKeys(rows)
		for _, row := range slices.Compact(rows) {
			r := Row{Name: row.StringValues(), Old: b.side(place{table, row, old}, t.Exact), New: b.side(place{table, row, new}, t.Exact)}
			b.compare(t, &r)
			t.Rows = append(t.Rows, r)
		}
		b.missing(t)
		b.report.Tables = append(b.report.Tables, t)
	}
}

// compare sets the effect of a row, or a verdict without an effect.
func (b *builder) compare(t Table, r *Row) {
	if judge := b.options.Judge; judge != nil && !t.Exact && r.Old.Samples > 0 && r.New.Samples > 0 {
		j, ok := judge(t, *r)
		if !ok {
			r.Verdict = TooFew
			return
		}
		r.Effect = j.Effect
		for side, values := range map[*Side][]float64{&r.Old: j.Old, &r.New: j.New} {
			all := side.Samples // the samples of all runs are counted
			side.Figure = resultfile.NewFigure(values)
			side.Samples = all
		}
	} else if r.Verdict = b.comparable(t, *r); r.Verdict.Compared() {
		r.Effect = effectOf(t, *r)
	}
	if r.Verdict.Compared() && !t.Exact {
		r.New.Figure = shifted(r.Old.Figure, r.New.Figure, r.Effect.Change)
	}
}

// comparable returns the verdict of a row that cannot be compared, or "".
func (b *builder) comparable(t Table, r Row) Verdict {
	switch {
	case r.Old.Samples == 0:
		return New
	case r.New.Samples == 0:
		return Missing // missing adds the gap when all rows are known
	}
	for i, s := range []Side{r.Old, r.New} {
		label := []string{t.Old, t.New}[i]
		switch {
		case t.Exact && !sameExact(s.Lo, s.Hi):
			b.gap(gapInexact, s, r.Name, t.Unit, fmt.Sprintf("%s should be exact, but varies between %v and %v in %s", r.Name, s.Lo, s.Hi, label))
			return Inexact
		case !t.Exact && s.Samples < MinSamples:
			b.gap(gapSamples, s, r.Name, t.Unit, fmt.Sprintf("%s has %s in %s, expected %d or more", r.Name, english.Count(s.Samples, "sample"), label, MinSamples))
			return TooFew
		}
	}
	return ""
}

// missing adds gaps for the benchmarks that only the old column has.
func (b *builder) missing(t Table) {
	instead := map[string]string{}
	for _, r := range t.Rows {
		if r.Verdict == New {
			instead[procs.ReplaceAllString(r.Name, "")] = r.Name
		}
	}
	for _, r := range t.Rows {
		if r.Verdict != Missing {
			continue
		}
		message := fmt.Sprintf("%s is missing in %s", r.Name, t.New)
		if name, ok := instead[procs.ReplaceAllString(r.Name, "")]; ok {
			message += fmt.Sprintf(", which has %s; --ignore /gomaxprocs compares the two", name)
		}
		b.gap(gapMissing, r.Old, r.Name, t.Unit, message)
	}
}

// side returns the summary of a series, or an empty side if there is no series.
func (b *builder) side(p place, exact bool) Side {
	s := b.series[p]
	if s == nil || len(s.runs) == 0 {
		return Side{}
	}
	values := slices.Concat(s.runs...)
	side := Side{Figure: resultfile.NewFigure(values), Runs: len(s.runs), File: s.file, Line: s.line, series: s}
	if exact { // the most frequent value, and the range of all
		e := benchmath.AssumeExact.Summary(benchmath.NewSample(values, &benchmath.DefaultThresholds), confidence)
		side.Median, side.Lo, side.Hi = e.Center, e.Lo, e.Hi
	}
	return side
}

// better returns the better direction of a tidied unit: +1 for higher, -1 for lower, 0 if unknown.
func (b *builder) better(unit string) int {
	if direction, ok := b.reader.Better(unit); ok {
		return direction
	}
	// These defaults cover more units than benchstat's, but only unambiguous ones.
	what, per, _ := strings.Cut(unit, "/")
	switch {
	case per == "s" || per == "sec":
		return +1
	case what == "sec" || what == "B" || what == "allocs" || strings.HasSuffix(what, "-sec"):
		return -1
	}
	return 0
}

// procs matches the suffix, such as -8, that the go command appends to names.
var procs = regexp.MustCompile(`-[0-9]+$`)

// Report is the result of a comparison.
type Report struct {
	Alpha  float64 // bound on the probability of any false alarm
	Tables []Table
	Gaps   []Gap
	Notes  []string // information that does not affect the exit code
	Same   []string // packages with identical test binaries on both sides

	strict bool // any unclear comparison is a gap
}

// Count returns the number of rows of each verdict.
func (r *Report) Count() map[Verdict]int {
	count := map[Verdict]int{}
	for _, row := range r.rows() {
		count[row.Verdict]++
	}
	return count
}

func (r *Report) rows() iter.Seq2[Table, *Row] {
	return func(yield func(Table, *Row) bool) {
		for _, t := range r.Tables {
			for i := range t.Rows {
				if !yield(t, &t.Rows[i]) {
					return
				}
			}
		}
	}
}

// Regressions returns the number of regressions.
func (r *Report) Regressions() int { return r.Count()[Regression] }

// OpenGaps returns the number of gaps that are not accepted, without those of some kinds.
func (r *Report) OpenGaps(without ...string) int {
	open := 0
	for _, g := range r.Gaps {
		if !g.Accepted && !slices.Contains(without, g.Kind) {
			open++
		}
	}
	return open
}

// Gap is something that could not be compared. It is of one of these kinds:
//
//   - missing: the new column does not have a benchmark
//   - samples: fewer than MinSamples samples
//   - machine: a line that splits tables differs, such as cpu
//   - syntax: a line does not parse, or a value is not a finite number
//   - failed: the output reports that a benchmark failed
//   - inexact: samples of an exact unit differ
//   - direction: a unit changed whose better direction is unknown
//   - runs: only accepted, never reported: changes are judged in spite of few process runs
//   - unclear: most comparisons are undecided; with Options.Strict, one is
//   - empty: there is nothing to compare; this cannot be accepted
//   - interrupted: the measurement was stopped before its end; this cannot be accepted
type Gap struct {
	Kind      string   `json:"kind"`
	File      string   `json:"file,omitempty"` // "" if the gap is not in a file
	Line      int      `json:"line,omitempty"`
	Benchmark string   `json:"benchmark,omitempty"` // "" if the gap does not concern a benchmark
	Message   string   `json:"message"`
	Units     []string `json:"units,omitempty"` // units of the benchmark that are concerned
	Accepted  bool     `json:"accepted"`        // the gap does not count
}

const (
	gapMissing   = "missing"
	gapSamples   = "samples"
	gapMachine   = "machine"
	gapSyntax    = "syntax"
	gapFailed    = "failed"
	gapInexact   = "inexact"
	gapDirection = "direction"
	gapRuns      = "runs"
	gapUnclear   = "unclear"
	gapEmpty     = "empty"
)

// GapKinds lists the kinds that can be accepted.
func GapKinds() []string {
	return []string{gapMissing, gapSamples, gapMachine, gapSyntax, gapFailed, gapInexact, gapDirection, gapRuns, gapUnclear}
}

const maxGaps = 3 // largest number of gaps of a kind that are listed in full

// String returns the position, the kind and the message of the gap.
func (g Gap) String() string {
	text := fmt.Sprintf("%s: %s", g.Kind, g.Message)
	if g.File != "" {
		text = g.where() + ": " + text
	}
	if len(g.Units) > 0 {
		text += " (" + strings.Join(g.Units, ", ") + ")"
	}
	if g.Accepted {
		text += " (accepted)"
	}
	return text
}

func (g Gap) where() string {
	if g.Line > 0 {
		return fmt.Sprintf("%s:%d", g.File, g.Line)
	}
	return g.File
}

// name returns a short name of the gap for a list.
func (g Gap) name() string {
	switch {
	case g.Benchmark != "":
		return g.Benchmark
	case g.Line > 0 || g.Kind == gapEmpty:
		return g.where()
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(g.Message, "--- FAIL: "), ": ") // the side is not a file
	return name
}

// GapLines returns the gaps as lines of text. If there are many of a kind in a file or side, it
// returns the first one and names some others.
func (r *Report) GapLines() (lines []string) {
	type group struct{ kind, file string }
	listed := map[group]bool{}
	for _, first := range r.Gaps {
		at := group{first.Kind, first.File}
		if listed[at] {
			continue
		}
		listed[at] = true
		var all, names []string
		for _, g := range r.Gaps {
			if at != (group{g.Kind, g.File}) {
				continue
			}
			all = append(all, g.String())
			if name := g.name(); name != first.name() && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		if len(all) > maxGaps {
			all = all[:1]
			if len(names) > 0 {
				all[0] += "; also " + english.Some(names, ", ")
			}
		}
		lines = append(lines, all...)
	}
	return lines
}

// unmatched returns the tables that only one column has because a line such as cpu: differs, and
// reports each difference once. It ignores packages that only one side has: their benchmarks are
// new or missing.
func (b *builder) unmatched(old, new benchproc.Key) map[benchproc.Key]bool {
	lonely := func(of, without benchproc.Key) (tables []benchproc.Key) {
		for _, t := range sortedKeys(b.rows[of]) {
			if _, ok := b.rows[without][t]; !ok {
				tables = append(tables, t)
			}
		}
		return tables
	}
	found := map[benchproc.Key]bool{}
	said := map[string]bool{}
	for _, o := range lonely(old, new) {
		for _, n := range lonely(new, old) {
			differing := benchproc.NonSingularFields([]benchproc.Key{o, n})
			if slices.ContainsFunc(differing, func(f *benchproc.Field) bool { return f.Name == ".unit" || f.Name == "pkg" }) {
				continue
			}
			found[o], found[n] = true, true
			for _, f := range differing {
				message := fmt.Sprintf("%s is %q in %s, but %q in %s", f.Name, o.Get(f), old.StringValues(), n.Get(f), new.StringValues())
				if slices.Contains([]string{"goos", "goarch", "cpu"}, f.Name) {
					message = "different machines: " + message
				}
				if said[message] {
					continue
				}
				said[message] = true
				benchproc.SortKeys(b.rows[old][o])
				b.gap(gapMachine, b.side(place{o, b.rows[old][o][0], old}, false), "", "", fmt.Sprintf("%s; --ignore %s compares nevertheless", message, f.Name))
			}
		}
	}
	return found
}

// FieldsOf returns the fields of a table's key except the unit.
func FieldsOf(table benchproc.Key) []resultfile.Field {
	var fields []resultfile.Field
	for _, f := range table.Projection().FlattenedFields() {
		if value := table.Get(f); value != "" && f.Name != ".unit" {
			fields = append(fields, resultfile.Field{Name: f.Name, Value: value})
		}
	}
	return fields
}

// Verdict is the result of a row:
//
//   - REGRESSION and improvement: a significant change beyond the threshold
//   - changed: such a change in a unit whose better direction is unknown
//   - small: a significant change within the threshold
//   - unclear: not significant, and too noisy for no change
//   - no change: the interval lies within the threshold
//   - new and missing: only one column has the benchmark
//   - too few samples: there is no interval
//   - inexact: the unit is declared exact, but the samples differ
type Verdict string

const (
	Regression  Verdict = "REGRESSION"
	Improvement Verdict = "improvement"
	Changed     Verdict = "changed"
	Small       Verdict = "small"
	Unclear     Verdict = "unclear"
	NoChange    Verdict = "no change"
	New         Verdict = "new"
	Missing     Verdict = "missing"
	TooFew      Verdict = "too few samples"
	Inexact     Verdict = "inexact"
)

// allVerdicts lists all verdicts, the most important ones first.
var allVerdicts = []Verdict{Regression, Improvement, Changed, Small, Unclear, NoChange, New, Missing, TooFew, Inexact}

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
		if b.options.Judge == nil && r.Verdict.beyond() && mayBePlacement(t, *r) && !slices.Contains(b.options.Accept, gapRuns) {
			r.Verdict, r.Withheld = Unclear, r.Verdict
		}
		if r.Verdict == Changed {
			b.gap(gapDirection, r.New, r.Name, t.Unit, fmt.Sprintf("%s has changed, but its better direction is unknown; expected a line: Unit UNIT better=higher (or lower)", r.Name))
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
	undecided, noisy := b.report.undecided()
	message := fmt.Sprintf("%d of %s with noise %s no verdict", undecided, english.Count(noisy, "comparison"), english.Plural(undecided, "has", "have"))
	if b.options.Judge != nil {
		message += "; a larger --budget decides more of them, see the notes"
	} else if slices.Sort(more); len(more) > 0 {
		switch times := more[len(more)/2]; {
		case times > maxTimes:
			message += "; measure on a quieter machine"
		case times > 1:
			message += fmt.Sprintf("; about %.0f times as many samples would decide %s", math.Ceil(times), english.Plural(undecided, "it", "half of them"))
		}
	}
	b.gap(gapUnclear, Side{}, "", "", message)
}

// mayBePlacement reports whether the placement of code and data in memory, or the load at the time
// of a recording, may explain the difference. A side with one run says nothing about either.
func mayBePlacement(t Table, r Row) bool {
	if !r.Effect.Noise || samples.CountsAllocations(t.Unit) || min(r.Old.Runs, r.New.Runs) >= MinRuns {
		return false
	}
	if min(r.Old.Runs, r.New.Runs) == 1 {
		return true
	}
	return r.Effect.Change < placementChange && r.Effect.Change > -placementChange/(1+placementChange)
}

func (b *builder) notef(format string, arguments ...any) {
	b.report.Notes = append(b.report.Notes, fmt.Sprintf(format, arguments...))
}

// noteHeads notes different conditions of the files, such as the version of Go.
func (b *builder) noteHeads(inputs []Input, documents []*samples.Document) {
	for _, name := range []string{"go", "kernels", "tier", "data"} {
		old := documents[0].Value(name)
		for i, in := range inputs[1:] {
			if new := documents[i+1].Value(name); old != "" && new != "" && old != new {
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
