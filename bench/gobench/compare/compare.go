package compare

import (
	"errors"
	"fmt"
	"slices"

	"golang.org/x/perf/benchproc"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/english"
)

// Compare compares the first column of the inputs with each of the others: with the usual
// projection, the first file with the rest.
//
// What cannot be compared is in the report. An error means that there is no report: options that
// make no sense, a file that cannot be read, or is no text in UTF-8. It takes about a microsecond a
// line, and memory for all of the text.
func Compare(inputs []Input, o Options) (*Report, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	if len(inputs) == 0 {
		return nil, errors.New("compare: no inputs")
	}
	c, err := newCollector(o)
	if err != nil {
		return nil, err
	}
	var documents []*resultfile.Document
	for _, in := range inputs {
		d, err := resultfile.ReadDocument(in.Reader, in.Name)
		if err != nil {
			return nil, fmt.Errorf("compare: %w", err)
		}
		if err := c.add(d, in.Label); err != nil {
			return nil, err
		}
		d.Text = nil // what is kept are samples
		documents = append(documents, d)
	}
	b := builder{collector: c, options: o, report: &Report{Alpha: o.Alpha, Gaps: c.gaps}, known: map[string]int{}}
	b.build()
	b.judge()
	b.notes(inputs, documents)
	for i, g := range b.report.Gaps {
		b.report.Gaps[i].Accepted = slices.Contains(o.Accept, g.Kind)
	}
	return b.report, nil
}

// builder makes a report of series.
type builder struct {
	*collector
	options Options
	report  *Report
	known   map[string]int // gaps of the report, by all that they say but the units
}

// gap reports what could not be compared of a benchmark, "" for all, in a unit, "" for all. The
// same of another unit joins it.
func (b *builder) gap(kind GapKind, at Side, benchmark, unit, message string) {
	key := fmt.Sprintf("%s:%d: %s: %s", at.File, at.Line, kind, message)
	i, known := b.known[key]
	if !known {
		i = len(b.report.Gaps)
		b.known[key] = i
		b.report.Gaps = append(b.report.Gaps, Gap{Kind: kind, File: at.File, Line: at.Line, Benchmark: benchmark, Message: message})
	}
	if unit != "" {
		b.report.Gaps[i].Units = append(b.report.Gaps[i].Units, unit)
	}
}

// build lays out the tables.
func (b *builder) build() {
	columns := map[benchproc.Key]map[benchproc.Key][]benchproc.Key{} // column, table, rows
	for p := range b.series {
		if len(b.series[p].values) == 0 {
			continue // none of its values was a number
		}
		if columns[p.col] == nil {
			columns[p.col] = map[benchproc.Key][]benchproc.Key{}
		}
		columns[p.col][p.table] = append(columns[p.col][p.table], p.row)
	}
	order := sortedKeys(columns)
	if len(order) < 2 {
		b.report.Gaps = append(b.report.Gaps, Gap{Kind: GapEmpty, Message: b.why(order)})
		return
	}
	for _, col := range order[1:] {
		b.buildPair(order[0], col, columns)
	}
}

// why explains that there are not two columns.
func (b *builder) why(columns []benchproc.Key) string {
	if len(columns) == 0 {
		return "no benchmark is left to compare, by the filter " + b.options.Filter
	}
	if columns[0].StringValues() == "" {
		return fmt.Sprintf("no benchmark has %s, which is to tell the columns apart", b.options.Col)
	}
	return fmt.Sprintf("there is only one column, %s, by %s: nothing to compare it with", columns[0].StringValues(), b.options.Col)
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

// compare gives a row its effect, or the verdict that says why it has none.
func (b *builder) compare(t Table, r *Row) {
	if judge := b.options.Judge; judge != nil && !t.Exact && !t.Unjudged && r.Old.Samples > 0 && r.New.Samples > 0 {
		if j, ok := judge(t, *r); ok {
			r.judgedAs(j)
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

// judgedAs makes the row show what was judged.
func (r *Row) judgedAs(j Judgement) {
	r.Effect, r.judged = j.Effect, true
	for _, s := range []struct {
		side   *Side
		figure *resultfile.Figure
	}{{&r.Old, j.Old}, {&r.New, j.New}} {
		if s.figure != nil {
			s.side.Median, s.side.Lo, s.side.Hi = s.figure.Median, s.figure.Lo, s.figure.Hi
		}
	}
}

// comparable returns why a row has no effect, or an empty verdict.
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
			b.gap(GapSamples, s.Side, r.Name, t.Unit, fmt.Sprintf("%s has %s in %s, expected %d or more", r.Name, plural(s.Samples, "sample"), s.label, MinSamples))
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

func sortedKeys[V any](m map[benchproc.Key]V) []benchproc.Key {
	keys := make([]benchproc.Key, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	benchproc.SortKeys(keys)
	return keys
}

// plural returns "1 sample" or "2 samples".
func plural(n int, noun string) string {
	return fmt.Sprintf("%d %s", n, english.Plural(n, noun, noun+"s"))
}
