package compare

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"

	"simhashkit/bench/gobench/resultfile"
)

// Input is a file of results.
type Input struct {
	Label string // name of the column if columns are files; equal labels share a column
	Name  string // name in messages
	Text  []byte
}

// series holds the samples of one benchmark in one unit and column, in the order of reading.
type series struct {
	runs     [][]float64 // the values of each process run
	run      int         // process run of the last value, numbered over all inputs
	file     string
	line     int             // of the first value
	residues []benchproc.Key // fields that the grouping ignores; should be equal
}

type place struct{ table, row, col benchproc.Key }

type collector struct {
	filter                   *benchproc.Filter
	table, row, col, residue *benchproc.Projection
	unit                     *benchproc.Field
	series                   map[place]*series
	reader                   resultfile.Reader
	gaps                     []Gap
	runs                     int // number of process runs of the inputs read so far
}

func newCollector(o Options) (*collector, error) {
	filter, err := benchproc.NewFilter(o.Filter)
	if err != nil {
		return nil, fmt.Errorf("compare: filter %q: %w", o.Filter, err)
	}
	c := &collector{filter: filter, series: map[place]*series{}}
	var parser benchproc.ProjectionParser
	if c.table, c.unit, err = parser.ParseWithUnit(o.Table, filter); err != nil {
		return nil, fmt.Errorf("compare: table %q: %w", o.Table, err)
	}
	var ignored *benchproc.Projection
	for _, p := range []struct {
		name, text string
		projection **benchproc.Projection
	}{{"row", o.Row, &c.row}, {"col", o.Col, &c.col}, {"ignore", o.Ignore, &ignored}} {
		if *p.projection, err = parser.Parse(p.text, filter); err != nil {
			return nil, fmt.Errorf("compare: %s %q: %w", p.name, p.text, err)
		}
	}
	c.residue = parser.Residue()
	return c, nil
}

// add reads the results of a document into a column. Lines that do not parse become gaps.
func (c *collector) add(d *resultfile.Document, label string) error {
	any := false
	for record, err := range c.reader.Records(d, ".file", label) {
		if err != nil {
			return fmt.Errorf("compare: %w", err)
		}
		switch record := record.(type) {
		case *benchfmt.SyntaxError:
			lines := strings.Split(string(d.Text), "\n")
			text := strings.TrimSpace(lines[record.Line-1])
			name, _, _ := strings.Cut(text, " ")
			c.gaps = append(c.gaps, Gap{Kind: GapSyntax, File: d.Name, Line: record.Line, Benchmark: strings.TrimPrefix(name, "Benchmark"), Message: fmt.Sprintf("%s: %q", record.Msg, text)})
		case *benchfmt.Result:
			any = true
			c.addResult(d, record)
		}
	}
	if !any {
		message := "no benchmark results; expected lines like: BenchmarkName 1000 12.5 ns/op"
		if bytes.HasPrefix(bytes.TrimSpace(d.Text), []byte("{")) {
			message = "no benchmark results, but JSON; expected the output of go test -bench without -json"
		}
		c.gaps = append(c.gaps, Gap{Kind: GapEmpty, File: d.Name, Message: message})
	}
	for _, f := range d.Failures {
		c.gaps = append(c.gaps, Gap{Kind: GapFailed, File: d.Name, Line: f.Line, Message: f.Message})
	}
	c.runs += d.Runs()
	return nil
}

func (c *collector) addGap(kind GapKind, at benchfmt.Record, message string) {
	file, line := at.Pos()
	c.gaps = append(c.gaps, Gap{Kind: kind, File: file, Line: line, Message: message})
}

func (c *collector) addResult(d *resultfile.Document, r *benchfmt.Result) {
	match, err := c.filter.Match(r)
	if err != nil {
		c.addGap(GapSyntax, r, err.Error())
		return
	}
	if !match.Any() {
		return
	}
	row, col, residue := c.row.Project(r), c.col.Project(r), c.residue.Project(r)
	_, line := r.Pos()
	run := c.runs + d.Run(line)
	for i, table := range c.table.ProjectValues(r) {
		if !match.Test(i) || Repeats(r.Values, i, match.Test) {
			continue
		}
		p, v := place{table, row, col}, r.Values[i]
		s := c.series[p]
		if s == nil {
			s = &series{}
			c.series[p] = s
		}
		if !slices.Contains(s.residues, residue) {
			s.residues = append(s.residues, residue)
		}
		if math.IsNaN(v.Value) || math.IsInf(v.Value, 0) {
			c.addGap(GapSyntax, r, fmt.Sprintf("Benchmark%s: %v %s is not a finite number", r.Name, v.Value, v.Unit))
			continue
		}
		if len(s.runs) == 0 {
			s.file, s.line = d.Name, line
		}
		if len(s.runs) == 0 || run != s.run {
			s.runs, s.run = append(s.runs, nil), run
		}
		last := &s.runs[len(s.runs)-1]
		*last = append(*last, v.Value)
	}
}

// Repeats reports whether a value repeats another value of the result that is used: go test
// computes the throughput from the time. Judging both would count a change twice.
func Repeats(values []benchfmt.Value, i int, used func(i int) bool) bool {
	if values[i].Unit != "B/s" {
		return false
	}
	time := slices.IndexFunc(values, func(v benchfmt.Value) bool { return v.Unit == "sec/op" })
	return time >= 0 && used(time)
}
