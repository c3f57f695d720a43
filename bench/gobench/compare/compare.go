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
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchproc"
	"golang.org/x/perf/benchunit"

	"simhashkit/bench/gobench/resultfile"
)

// The defaults.
const (
	DefaultThreshold = 0.03  // smallest relative change that matters
	DefaultAlpha     = 0.02  // probability of any false alarm in a comparison of all benchmarks
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

// Rules define which changes and gaps count. The zero value means the defaults.
type Rules struct {
	Threshold *Thresholds // smallest changes that matter; nil means DefaultThreshold for every unit
	Alpha     float64     // probability of any false alarm, between 0 and 1; 0 means DefaultAlpha
	Ignore    string      // keys of names and lines that the grouping ignores, such as "cpu,/kernel"
	Accept    []GapKind   // gaps of these kinds are reported but do not count
	Strict    bool        // any unclear comparison is a gap
}

// Options defines how results are grouped and judged.
type Options struct {
	Rules
	Table, Row, Col, Filter string // as in benchstat; "" means .config, .fullname, .file, and all

	// Judge, if not nil, replaces the usual test and the rules for few samples and runs, for every
	// benchmark that both sides have in a statistical unit. ok is false if there are too few
	// samples for an effect.
	Judge func(t Table, r Row) (j Judgement, ok bool)
}

// Judgement is the verdict of Options.Judge on a row.
type Judgement struct {
	Effect   Effect            // without NaN; the usual rule derives the verdict
	Old, New resultfile.Figure // figures to show, which differ by the effect
}

// WithDefaults returns the rules with defaults for zero fields. It returns an error if a field is
// invalid.
func (r Rules) WithDefaults() (Rules, error) {
	if r.Threshold == nil {
		r.Threshold = &Thresholds{Default: DefaultThreshold}
	}
	r.Alpha = cmp.Or(r.Alpha, DefaultAlpha)
	if !(r.Alpha > 0 && r.Alpha < 1) {
		return r, fmt.Errorf("compare: alpha %v: must lie between 0 and 1", r.Alpha)
	}
	for _, k := range r.Accept {
		if !slices.Contains(GapKinds(), k) {
			return r, fmt.Errorf("compare: unknown kind of gap %q; expected %s", k, kindNames())
		}
	}
	return r, nil
}

func (o Options) withDefaults() (_ Options, err error) {
	o.Table, o.Row, o.Col, o.Filter = cmp.Or(o.Table, ".config"), cmp.Or(o.Row, ".fullname"), cmp.Or(o.Col, ".file"), cmp.Or(o.Filter, "*")
	o.Rules, err = o.Rules.WithDefaults()
	return o, err
}

// Thresholds holds the smallest relative changes that matter, such as 0.03 for 3%.
type Thresholds struct {
	Default float64            // for statistical units that are not in Units; exact units have 0
	Units   map[string]float64 // by tidied unit, such as sec/op for ns/op
}

// ParseThresholds parses percentages: "3%" for statistical units, "ns/op=5%" for a single unit.
func ParseThresholds(texts []string) (*Thresholds, error) {
	t := &Thresholds{Default: DefaultThreshold, Units: map[string]float64{}}
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

// Compare compares the first column with each of the others. By default, columns are files, in the
// order of the inputs. The report lists everything that cannot be compared. Compare returns an
// error if the options are invalid, or if a file is not UTF-8 text.
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
		d, err := resultfile.NewDocument(in.Text, in.Name)
		if err != nil {
			return nil, fmt.Errorf("compare: %w", err)
		}
		if err := c.add(d, in.Label); err != nil {
			return nil, err
		}
		documents = append(documents, d)
	}
	b := builder{collector: c, options: o, report: &Report{Alpha: o.Alpha, Gaps: c.gaps, strict: o.Strict}}
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

type builder struct {
	*collector
	options Options
	report  *Report
}

// gap adds a gap to the report. unit is "" if the gap concerns all units. Equal gaps in several
// units become one.
func (b *builder) gap(kind GapKind, at Side, benchmark, unit, message string) {
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
	columns := map[benchproc.Key]map[benchproc.Key][]benchproc.Key{} // column, table, rows
	for p := range b.series {
		if len(b.series[p].runs) == 0 {
			continue // all values were infinite or NaN
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
