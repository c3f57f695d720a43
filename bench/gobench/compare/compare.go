package compare

import (
	"errors"
	"fmt"
	"slices"

	"golang.org/x/perf/benchproc"

	"simhashkit/bench/gobench/resultfile"
)

// Compare compares the first column with each of the others. Columns are files, in the order of
// the inputs, unless Options.Col says otherwise.
//
// What cannot be compared is in the report. It fails if options make no sense, or if a file cannot
// be read or is no text in UTF-8. It takes about a microsecond a line, and memory for the text of
// one file and for all samples.
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

// gap reports what could not be compared of a benchmark and a unit; "" stands for all. The same gap
// in another unit joins it.
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
	switch {
	case len(columns) == 0:
		return "no benchmark is left to compare, by the filter " + b.options.Filter
	case columns[0].StringValues() == "":
		return fmt.Sprintf("no benchmark has %s, which is to tell the columns apart", b.options.Col)
	case b.options.Col == ".file":
		return fmt.Sprintf("only %s has results, and there is nothing to compare them with", columns[0].StringValues())
	}
	return fmt.Sprintf("all results have the same %s, %s, and there is nothing to compare them with", b.options.Col, columns[0].StringValues())
}

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

func sortedKeys[V any](m map[benchproc.Key]V) []benchproc.Key {
	keys := make([]benchproc.Key, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	benchproc.SortKeys(keys)
	return keys
}
