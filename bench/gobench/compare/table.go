package compare

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/perf/benchproc"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/english"
)

// Table is the comparison of two columns in one unit.
type Table struct {
	// what all results of the table have in common: goos, goarch, pkg, cpu ...
	Config []resultfile.Field
	Unit   string // tidied: sec/op where the files have ns/op
	Exact  bool   // the unit is declared assume=exact
	// the unit is declared judge=no: it is shown, and nothing follows from it
	Unjudged  bool
	Better    int     // +1: higher is better, -1: lower, 0: not known
	Threshold float64 // the least relative change that matters
	Old, New  string  // the labels of the columns
	Rows      []Row
}

// Row is one benchmark. Of a benchmark that only one column has, the other side is empty.
type Row struct {
	Name     string
	Old, New Side
	Effect   Effect // not set unless Verdict.Compared
	Verdict  Verdict
	// if Verdict is Unclear only for lack of process runs: what it would be with GapRuns accepted
	Withheld Verdict

	judged bool // the effect is that of Options.Judge
}

// Side is a benchmark's samples in one column, summed up as benchstat does, or as Options.Judge
// does where the row's effect is from there.
type Side struct {
	resultfile.Figure        // the value as the median, if the unit is exact
	Runs              int    // process runs that the samples come from
	File              string // where the first sample stands
	Line              int

	series *series
}

// buildPair compares one column with the first.
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
		t := Table{Unit: unit, Better: better(unit, units), Exact: units.Exact(unit), Unjudged: units.Unjudged(unit), Old: old.StringValues(), New: new.StringValues(), Config: FieldsOf(table)}
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

// compare sets the effect of a row, or the verdict that says why it has none.
func (b *builder) compare(t Table, r *Row) {
	if judge := b.options.Judge; judge != nil && !t.Exact && !t.Unjudged && r.Old.Samples > 0 && r.New.Samples > 0 {
		if j, ok := judge(t, *r); ok {
			r.Effect, r.judged = j.Effect, true
			r.Old.show(j.Old)
			r.New.show(j.New)
			return
		}
	}
	if r.Verdict = b.comparable(t, *r); r.Verdict.Compared() {
		r.Effect = effectOf(t, *r)
		if !t.Exact {
			r.Old.Figure, r.New.Figure = Apart(r.Old.Figure, r.New.Figure, r.Effect.Change)
		}
	}
}

// show replaces the figures that are shown.
func (s *Side) show(f resultfile.Figure) { s.Median, s.Lo, s.Hi = f.Median, f.Lo, f.Hi }

// comparable returns the verdict of a row that cannot be compared, or "".
func (b *builder) comparable(t Table, r Row) Verdict {
	switch {
	case r.Old.Samples == 0:
		return New
	case r.New.Samples == 0:
		return Missing // missing() says so, when all rows are known
	case t.Unjudged:
		return NotJudged
	}
	for _, s := range []struct {
		Side
		label string
	}{{r.Old, t.Old}, {r.New, t.New}} {
		switch {
		case t.Exact && !sameExact(s.Lo, s.Hi):
			b.gap(GapInexact, s.Side, r.Name, t.Unit, fmt.Sprintf("%s should be exact, but in %s lies between %v and %v", r.Name, s.label, s.Lo, s.Hi))
			return Inexact
		case !t.Exact && s.Samples < MinSamples:
			b.gap(GapSamples, s.Side, r.Name, t.Unit, fmt.Sprintf("%s has %s in %s, expected %d or more", r.Name, english.Count(s.Samples, "sample"), s.label, MinSamples))
			return TooFew
		}
	}
	return ""
}

// missing reports the benchmarks that only the old column has.
func (b *builder) missing(t Table) {
	instead := map[string]string{}
	for _, r := range t.Rows {
		if r.Verdict == New {
			instead[withoutProcs(r.Name)] = r.Name
		}
	}
	for _, r := range t.Rows {
		if r.Verdict != Missing {
			continue
		}
		message := fmt.Sprintf("%s is missing in %s", r.Name, t.New)
		if name, ok := instead[withoutProcs(r.Name)]; ok {
			message += fmt.Sprintf(", which has %s; --ignore /gomaxprocs compares the two", name)
		}
		b.gap(GapMissing, r.Old, r.Name, t.Unit, message)
	}
}

// side sums up a series; a place that has none gives an empty side.
func (b *builder) side(p place, exact bool) Side {
	s := b.series[p]
	if s == nil || len(s.values) == 0 {
		return Side{}
	}
	figure := resultfile.NewFigure
	if exact {
		figure = resultfile.NewExactFigure
	}
	return Side{Figure: figure(s.values), Runs: len(s.cuts), File: s.file, Line: s.line, series: s}
}

// better returns which direction of a tidied unit is an improvement: +1 up, -1 down, 0 nobody
// knows.
func better(unit string, units resultfile.Units) int {
	if direction, said := units.Better(unit); said {
		return direction
	}
	// Beyond benchstat's defaults, for units of which nothing else can be meant.
	what, per, _ := strings.Cut(unit, "/")
	switch {
	case per == "s" || per == "sec":
		return +1
	case what == "sec" || what == "B" || what == "allocs" || strings.HasSuffix(what, "-sec"):
		return -1
	}
	return 0
}

// withoutProcs cuts the -8 off that the go command appends to names.
func withoutProcs(name string) string {
	i := strings.LastIndexByte(name, '-')
	if i < 0 || i+1 == len(name) || strings.Trim(name[i+1:], "0123456789") != "" {
		return name
	}
	return name[:i]
}
