package compare

import (
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/english"
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
	Withheld Verdict // if Verdict is Unclear because of few runs: the verdict with GapRuns accepted
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

func (b *builder) buildPair(old, new benchproc.Key, columns map[benchproc.Key]map[benchproc.Key][]benchproc.Key) {
	both := map[benchproc.Key][]benchproc.Key{}
	for _, col := range []benchproc.Key{old, new} {
		for table, rows := range columns[col] {
			both[table] = append(both[table], rows...)
		}
	}
	elsewhere := b.unmatched(old, new, columns)
	for _, table := range sortedKeys(both) {
		if elsewhere[table] {
			continue
		}
		unit := table.Get(b.unit)
		units := b.reader.Units()
		t := Table{Unit: unit, Better: better(unit, units), Exact: resultfile.Exact(units, unit), Old: old.StringValues(), New: new.StringValues(), Config: FieldsOf(table)}
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
		j.Old.Samples, j.New.Samples = r.Old.Samples, r.New.Samples // the samples of all runs are counted
		r.Effect, r.Old.Figure, r.New.Figure = j.Effect, j.Old, j.New
		return
	}
	if r.Verdict = b.comparable(t, *r); r.Verdict.Compared() {
		r.Effect = effectOf(t, *r)
		if !t.Exact {
			r.New.Figure = Shifted(r.Old.Figure, r.New.Figure, r.Effect.Change)
		}
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
			b.gap(GapInexact, s, r.Name, t.Unit, fmt.Sprintf("%s should be exact, but varies between %v and %v in %s", r.Name, s.Lo, s.Hi, label))
			return Inexact
		case !t.Exact && s.Samples < MinSamples:
			b.gap(GapSamples, s, r.Name, t.Unit, fmt.Sprintf("%s has %s in %s, expected %d or more", r.Name, english.Count(s.Samples, "sample"), label, MinSamples))
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
		b.gap(GapMissing, r.Old, r.Name, t.Unit, message)
	}
}

// side returns the summary of a series, or an empty side if there is no series.
func (b *builder) side(p place, exact bool) Side {
	s := b.series[p]
	if s == nil || len(s.runs) == 0 {
		return Side{}
	}
	figure := resultfile.NewFigure
	if exact {
		figure = resultfile.NewExactFigure
	}
	return Side{Figure: figure(slices.Concat(s.runs...)), Runs: len(s.runs), File: s.file, Line: s.line, series: s}
}

// better returns the better direction of a tidied unit: +1 for higher, -1 for lower, 0 if unknown.
func better(unit string, metadata benchfmt.UnitMetadataMap) int {
	if direction, said := resultfile.Better(metadata, unit); said {
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

// OpenGaps returns the number of gaps that are not accepted, without those of some kinds.
func (r *Report) OpenGaps(without ...GapKind) int {
	open := 0
	for _, g := range r.Gaps {
		if !g.Accepted && !slices.Contains(without, g.Kind) {
			open++
		}
	}
	return open
}

// Gap is something that could not be compared.
type Gap struct {
	Kind      GapKind  `json:"kind"`
	File      string   `json:"file,omitempty"` // "" if the gap is not in a file
	Line      int      `json:"line,omitempty"`
	Benchmark string   `json:"benchmark,omitempty"` // "" if the gap does not concern a benchmark
	Message   string   `json:"message"`
	Units     []string `json:"units,omitempty"` // units of the benchmark that are concerned
	Accepted  bool     `json:"accepted"`        // the gap does not count
}

// GapKind is the reason why something could not be compared.
type GapKind string

const (
	GapMissing   GapKind = "missing"   // the new column does not have a benchmark
	GapSamples   GapKind = "samples"   // fewer than MinSamples samples
	GapMachine   GapKind = "machine"   // a line that splits tables differs, such as cpu
	GapSyntax    GapKind = "syntax"    // a line does not parse, or a value is not a finite number
	GapFailed    GapKind = "failed"    // the output reports that a benchmark failed
	GapInexact   GapKind = "inexact"   // samples of an exact unit differ
	GapDirection GapKind = "direction" // a unit changed whose better direction is unknown
	GapRuns      GapKind = "runs"      // few process runs: if accepted, such changes are judged
	GapUnclear   GapKind = "unclear"   // most comparisons are undecided; with Strict, one is

	// cannot be accepted
	GapEmpty       GapKind = "empty"       // there is nothing to compare
	GapInterrupted GapKind = "interrupted" // the measurement was stopped before its end
)

// GapKinds lists the kinds that can be accepted.
func GapKinds() []GapKind {
	return []GapKind{GapMissing, GapSamples, GapMachine, GapSyntax, GapFailed, GapInexact, GapDirection, GapRuns, GapUnclear}
}

func kindNames() string {
	var names []string
	for _, k := range GapKinds() {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
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
	case g.Line > 0 || g.Kind == GapEmpty:
		return g.where()
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(g.Message, "--- FAIL: "), ": ") // the side is not a file
	return name
}

// GapLines returns the gaps as lines of text. If there are many of a kind in a file or side, it
// returns the first one and names some others.
func (r *Report) GapLines() []string {
	var groups [][2]string // kinds and files
	of := map[[2]string][]Gap{}
	for _, g := range r.Gaps {
		at := [2]string{string(g.Kind), g.File}
		if of[at] == nil {
			groups = append(groups, at)
		}
		of[at] = append(of[at], g)
	}
	var lines []string
	for _, at := range groups {
		gaps := of[at]
		if len(gaps) > maxGaps {
			var names []string
			for _, g := range gaps[1:] {
				if name := g.name(); name != gaps[0].name() && !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
			also := ""
			if len(names) > 0 {
				also = "; also " + english.Some(names, ", ")
			}
			lines = append(lines, gaps[0].String()+also)
			continue
		}
		for _, g := range gaps {
			lines = append(lines, g.String())
		}
	}
	return lines
}

// unmatched returns the tables that only one column has because a line such as cpu: differs, and
// reports each difference once. It ignores packages that only one side has: their benchmarks are
// new or missing.
func (b *builder) unmatched(old, new benchproc.Key, columns map[benchproc.Key]map[benchproc.Key][]benchproc.Key) map[benchproc.Key]bool {
	lonely := func(of, without benchproc.Key) (tables []benchproc.Key) {
		for _, t := range sortedKeys(columns[of]) {
			if _, ok := columns[without][t]; !ok {
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
				benchproc.SortKeys(columns[old][o])
				b.gap(GapMachine, b.side(place{o, columns[old][o][0], old}, false), "", "", fmt.Sprintf("%s; --ignore %s compares nevertheless", message, f.Name))
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
