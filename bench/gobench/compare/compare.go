// Package compare compares benchmark results and reports regressions, so that a build can fail.
//
// It reads the Go benchmark format and groups results by the projections of benchstat. It reports
// regressions, and everything that could not be compared: missing evidence never counts as no
// change. The column old shows the median of benchstat; new differs from it by the judged change.
//
// A unit that the file declares exact ("Unit recall assume=exact") has no noise: one sample is
// enough, and any change for the worse is a regression. Files have eight digits, so values that
// differ by at most one unit of the eighth digit are equal. All other units need [MinSamples]
// samples per side. The file also declares the better direction ("Unit recall better=higher"). By
// default, less time, memory and allocations are better, and higher rates per second. A change in a
// unit without a direction is a gap.
//
// # Regressions
//
// A regression is a significant change for the worse whose estimate is beyond the threshold. The
// estimate is the difference of 20% trimmed means of logarithms or, if some values are not
// positive, of trimmed means relative to the old one. The test is Yuen's extension of Welch's t
// test to trimmed means (K. K. Yuen, The two-sample trimmed t for unequal population variances,
// Biometrika 61, 1974). With 8 samples per side, benchstat's U test has too little power for a
// correction.
//
// P values are adjusted by Holm's method over all comparisons with noise (S. Holm, A simple
// sequentially rejective multiple test procedure, 1979). [DefaultAlpha] then bounds the probability
// of any false alarm, if the samples represent the noise. Intervals have a confidence of 95%.
//
// A comparison is unclear if it excludes neither equality nor a change beyond the threshold. If
// more than half of the comparisons are unclear, the report has a gap.
//
// # Process runs
//
// Samples of one process are correlated: code and data keep their addresses until the process ends,
// and the load of the machine varies slowly. Lines at the beginning or end of a run (goos:, pkg:,
// PASS, ok, "# date:", the end of a file) divide a file into process runs. If a benchmark has
// several runs, each run counts as one value, its trimmed mean, and the larger of the variances
// between and within runs is used. With fewer than six runs per side, 0.5% is added to the standard
// error. With one run of either side, a change is unclear, however large; with fewer than
// [MinRuns], a change by less than a factor of 2 is. Row.Withheld has the verdict that it would
// otherwise have. This does not apply to constants and allocations.
//
// [Options].Judge replaces this test for samples of both sides that were taken in turn; see package
// ab. README.md of gobench has measured error rates.
package compare

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"
	"golang.org/x/perf/benchunit"

	"simhashkit/internal/gobench/samples"
)

// The defaults.
const (
	DefaultAlpha     = 0.02  // probability of any false alarm in a comparison of all benchmarks
	defaultThreshold = 0.03  // smallest relative change that matters
	defaultRunNoise  = 0.005 // added to the relative standard error if there are few runs
)

const (
	MinSamples = 6 // per side; fewer have no 95% interval of the median
	MinRuns    = 3 // per side; fewer do not distinguish changes from effects of placement
	enoughRuns = 6 // number of process runs from which their spread is estimated well enough
)

// placementChange is a change, relative to the smaller value, that neither placement in memory nor
// drift can explain. Equal code was observed to differ by half as much.
const placementChange = 1.0

// maxUnclear is the largest share of unclear comparisons of a report without a gap.
const maxUnclear = 0.5

// maxTimes is the largest multiple of the samples that is worth recording.
const maxTimes = 100

// Options defines how results are grouped, and which changes and gaps count. The zero value means
// the defaults.
type Options struct {
	Threshold *Thresholds // smallest changes that matter; nil means 3% for every unit
	Alpha     float64     // probability of any false alarm, between 0 and 1; 0 means DefaultAlpha
	Ignore    string      // keys of names and lines that the grouping ignores, such as "cpu,/kernel"
	Accept    []string    // gaps of these kinds are reported but do not count; see GapKinds
	Strict    bool        // any unclear comparison is a gap

	Table, Row, Col, Filter string // as in benchstat; "" means .config, .fullname, .file, and all

	// Judge, if not nil, replaces the usual test and the rules for few samples and runs, for every
	// benchmark that both sides have in a statistical unit. ok is false if there are too few
	// samples for an effect.
	Judge func(t Table, r Row) (j Judgement, ok bool)
}

// Judgement is the verdict of Options.Judge on a row.
type Judgement struct {
	Effect   Effect    // without NaN; the usual rule derives the verdict
	Old, New []float64 // one or more; the median of Old is shown, and new differs from it by the effect
}

// WithDefaults returns the options with defaults for zero fields. It returns an error if a rule for
// the verdicts is invalid.
func (o Options) WithDefaults() (Options, error) {
	o.Table, o.Row, o.Col, o.Filter = cmp.Or(o.Table, ".config"), cmp.Or(o.Row, ".fullname"), cmp.Or(o.Col, ".file"), cmp.Or(o.Filter, "*")
	if o.Threshold == nil {
		o.Threshold = &Thresholds{Default: defaultThreshold}
	}
	o.Alpha = cmp.Or(o.Alpha, DefaultAlpha)
	if !(o.Alpha > 0 && o.Alpha < 1) {
		return o, fmt.Errorf("compare: alpha %v: must lie between 0 and 1", o.Alpha)
	}
	for _, k := range o.Accept {
		if !slices.Contains(GapKinds(), k) {
			return o, fmt.Errorf("compare: unknown kind of gap %q; expected %s", k, strings.Join(GapKinds(), ", "))
		}
	}
	return o, nil
}

// Thresholds holds the smallest relative changes that matter, such as 0.03 for 3%.
type Thresholds struct {
	Default float64            // for statistical units that are not in Units; exact units have 0
	Units   map[string]float64 // by tidied unit, such as sec/op for ns/op
}

// ParseThresholds parses percentages: "3%" for statistical units, "ns/op=5%" for a single unit.
func ParseThresholds(texts []string) (*Thresholds, error) {
	t := &Thresholds{Default: defaultThreshold, Units: map[string]float64{}}
	for _, text := range texts {
		// The unit may contain "=", but the percentage cannot.
		unit, percentage := "", text
		if i := strings.LastIndex(text, "="); i >= 0 {
			unit, percentage = text[:i], text[i+1:]
			if unit == "" {
				return nil, fmt.Errorf("compare: threshold %q: expected a unit before the =, as in ns/op=5%%", text)
			}
		}
		number, ok := strings.CutSuffix(percentage, "%")
		value, err := strconv.ParseFloat(number, 64)
		if !ok || err != nil || math.IsNaN(value) || math.IsInf(value, 0) || value < 0 {
			return nil, fmt.Errorf("compare: threshold %q: expected a percentage that is not negative, as in 3%%", text)
		}
		if unit == "" {
			t.Default = value / 100
			continue
		}
		_, tidied := benchunit.Tidy(1, unit)
		t.Units[tidied] = value / 100
	}
	return t, nil
}

// Of returns the threshold of a tidied unit, such as sec/op for ns/op.
func (t *Thresholds) Of(unit string, exact bool) float64 {
	if v, ok := t.Units[unit]; ok {
		return v
	}
	if exact {
		return 0
	}
	return t.Default
}

// Input is a file of results.
type Input struct {
	Label string // name of the column if columns are files; equal labels share a column
	Name  string // name in messages
	Text  []byte
}

// Compare compares the first column with each of the others. By default, columns are files, in the
// order of the inputs. The report lists everything that cannot be compared. Compare returns an
// error if the options are invalid, or if a file is not UTF-8 text.
func Compare(inputs []Input, o Options) (*Report, error) {
	o, err := o.WithDefaults()
	if err != nil {
		return nil, err
	}
	if len(inputs) == 0 {
		return nil, errors.New("compare: no inputs")
	}
	b, err := newBuilder(o)
	if err != nil {
		return nil, err
	}
	var documents []*samples.Document
	for _, in := range inputs {
		d, err := samples.NewDocument(in.Text, in.Name)
		if err != nil {
			return nil, fmt.Errorf("compare: %w", err)
		}
		if err := b.add(d, in.Label); err != nil {
			return nil, err
		}
		documents = append(documents, d)
	}
	b.build()
	b.judge()
	b.noteHeads(inputs, documents)
	b.noteRuns()
	b.noteMixed()
	for i, g := range b.report.Gaps {
		b.report.Gaps[i].Accepted = slices.Contains(o.Accept, g.Kind)
	}
	return b.report, nil
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

// builder reads the inputs and makes the report.
type builder struct {
	options                  Options
	filter                   *benchproc.Filter
	table, row, col, residue *benchproc.Projection
	unit                     *benchproc.Field
	series                   map[place]*series
	reader                   samples.Reader
	runs                     int                                                 // number of process runs of the inputs read so far
	rows                     map[benchproc.Key]map[benchproc.Key][]benchproc.Key // by column and table
	report                   *Report
}

func newBuilder(o Options) (*builder, error) {
	filter, err := benchproc.NewFilter(o.Filter)
	if err != nil {
		return nil, fmt.Errorf("compare: filter %q: %w", o.Filter, err)
	}
	b := &builder{options: o, filter: filter, series: map[place]*series{}, report: &Report{Alpha: o.Alpha, strict: o.Strict}}
	var parser benchproc.ProjectionParser
	if b.table, b.unit, err = parser.ParseWithUnit(o.Table, filter); err != nil {
		return nil, fmt.Errorf("compare: table %q: %w", o.Table, err)
	}
	var ignored *benchproc.Projection
	for _, p := range []struct {
		name, text string
		projection **benchproc.Projection
	}{{"row", o.Row, &b.row}, {"col", o.Col, &b.col}, {"ignore", o.Ignore, &ignored}} {
		if *p.projection, err = parser.Parse(p.text, filter); err != nil {
			return nil, fmt.Errorf("compare: %s %q: %w", p.name, p.text, err)
		}
	}
	b.residue = parser.Residue()
	return b, nil
}

// add reads the results of a document into a column. Lines that do not parse become gaps.
func (b *builder) add(d *samples.Document, label string) error {
	any := false
	for record, err := range b.reader.Records(d, ".file", label) {
		if err != nil {
			return fmt.Errorf("compare: %w", err)
		}
		switch record := record.(type) {
		case *benchfmt.SyntaxError:
			lines := strings.Split(string(d.Text), "\n")
			text := strings.TrimSpace(lines[record.Line-1])
			name, _, _ := strings.Cut(text, " ")
			b.report.Gaps = append(b.report.Gaps, Gap{Kind: gapSyntax, File: d.Name, Line: record.Line, Benchmark: strings.TrimPrefix(name, "Benchmark"), Message: fmt.Sprintf("%s: %q", record.Msg, text)})
		case *benchfmt.Result:
			any = true
			b.addResult(d, record)
		}
	}
	if !any {
		message := "no benchmark results; expected lines like: BenchmarkName 1000 12.5 ns/op"
		if bytes.HasPrefix(bytes.TrimSpace(d.Text), []byte("{")) {
			message = "no benchmark results, but JSON; expected the output of go test -bench without -json"
		}
		b.report.Gaps = append(b.report.Gaps, Gap{Kind: gapEmpty, File: d.Name, Message: message})
	}
	for _, f := range d.Failures {
		b.report.Gaps = append(b.report.Gaps, Gap{Kind: gapFailed, File: d.Name, Line: f.Line, Message: f.Message})
	}
	b.runs += d.Runs()
	return nil
}

func (b *builder) addResult(d *samples.Document, r *benchfmt.Result) {
	_, line := r.Pos()
	at := Side{File: d.Name, Line: line}
	match, err := b.filter.Match(r)
	if err != nil {
		b.gap(gapSyntax, at, "", "", err.Error())
		return
	}
	if !match.Any() {
		return
	}
	row, col, residue := b.row.Project(r), b.col.Project(r), b.residue.Project(r)
	run := b.runs + d.Run(line)
	for i, table := range b.table.ProjectValues(r) {
		if !match.Test(i) || samples.Repeats(r.Values, i, match.Test) {
			continue
		}
		p, v := place{table, row, col}, r.Values[i]
		s := b.series[p]
		if s == nil {
			s = &series{}
			b.series[p] = s
		}
		if !slices.Contains(s.residues, residue) {
			s.residues = append(s.residues, residue)
		}
		if math.IsNaN(v.Value) || math.IsInf(v.Value, 0) {
			b.gap(gapSyntax, at, "", "", fmt.Sprintf("Benchmark%s: %v %s is not a finite number", r.Name, v.Value, v.Unit))
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

// gap adds a gap to the report. unit is "" if the gap concerns all units. Equal gaps in several
// units become one.
func (b *builder) gap(kind string, at Side, benchmark, unit, message string) {
	i := slices.IndexFunc(b.report.Gaps, func(g Gap) bool {
		return g.Kind == kind && g.File == at.File && g.Line == at.Line && g.Message == message
	})
	if i < 0 {
		i = len(b.report.Gaps)
		b.report.Gaps = append(b.report.Gaps, Gap{Kind: kind, File: at.File, Line: at.Line, Benchmark: benchmark, Message: message})
	}
	if unit != "" {
		b.report.Gaps[i].Units = append(b.report.Gaps[i].Units, unit)
	}
}

func (b *builder) build() {
	b.rows = map[benchproc.Key]map[benchproc.Key][]benchproc.Key{}
	for p := range b.series {
		if len(b.series[p].runs) == 0 {
			continue // all values were infinite or NaN
		}
		if b.rows[p.col] == nil {
			b.rows[p.col] = map[benchproc.Key][]benchproc.Key{}
		}
		b.rows[p.col][p.table] = append(b.rows[p.col][p.table], p.row)
	}
	order := sortedKeys(b.rows)
	if len(order) < 2 {
		b.report.Gaps = append(b.report.Gaps, Gap{Kind: gapEmpty, Message: b.why(order)})
		return
	}
	for _, col := range order[1:] {
		b.buildPair(order[0], col)
	}
}

// why explains why there are fewer than two columns.
func (b *builder) why(columns []benchproc.Key) string {
	switch {
	case len(columns) == 0:
		return "no benchmark matches the filter " + b.options.Filter
	case columns[0].StringValues() == "":
		return fmt.Sprintf("no benchmark has %s, which defines the columns", b.options.Col)
	case b.options.Col == ".file":
		return fmt.Sprintf("only %s has results, so there is nothing to compare them with", columns[0].StringValues())
	}
	return fmt.Sprintf("all results have the same %s, %s, so there is nothing to compare them with", b.options.Col, columns[0].StringValues())
}

func sortedKeys[V any](m map[benchproc.Key]V) []benchproc.Key {
	keys := slices.Collect(maps.Keys(m))
	benchproc.SortKeys(keys)
	return keys
}
