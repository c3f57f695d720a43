// Package compare compares benchmark results and says what got worse, so that a build may fail by
// it.
//
// It reads the Go benchmark format and groups results by the projections of benchstat. It says
// which differences are regressions, and what could not be compared: missing evidence is never
// taken for no change. Columns show benchstat's medians, moved apart around their middle as the
// judged change says.
//
// # Exact and statistical units
//
// A unit that the file declares exact ("Unit recall assume=exact") has no noise: one sample is
// enough, and any loss is a regression. Values that agree to one unit of the eighth digit are
// equal, since files have eight. All other units are statistical and want [MinSamples] samples a
// side.
//
// The direction comes from the file too ("Unit recall better=higher"); without it less time, memory
// and allocations are better, and more of anything per second. A unit without a direction that has
// changed is a gap.
//
// # What counts as a regression
//
// A regression is a change for the worse that is significant and whose estimate is beyond the
// threshold. To ask that the whole interval lie beyond it would take several times as many samples.
//
// The estimate is the difference of 20% trimmed means of logarithms (of the values themselves where
// some are not positive, relative to the old mean). The test is Yuen's extension of Welch's t test
// to trimmed means (K. K. Yuen, The two-sample trimmed t for unequal population variances,
// Biometrika 61, 1974). benchstat's U test has no power left for a correction: with 8 samples a
// side its least p is 1/6435.
//
// P values are adjusted by Holm's method over all comparisons with noise (S. Holm, A simple
// sequentially rejective multiple test procedure, 1979), since a single false alarm fails a build.
// [DefaultAlpha] then bounds the probability of any false alarm in a whole comparison, as far as
// samples tell of the noise. Each interval is of 95%.
//
// # Noise that is not independent
//
// Samples of one process resemble each other: code and data stay where they lie until the process
// ends, and load comes in stretches.
//
// Lines that end or begin a run of a program (goos:, pkg:, PASS, ok, "# date:", the end of a file)
// cut a file into process runs. Where a benchmark has several, each counts once, by its trimmed
// mean; the larger of the variances between and within runs is used. With fewer than [EnoughRuns]
// runs a side [DefaultRunNoise] is added to the standard error. With fewer than [MinRuns], a change
// below [PlacementChange] is unclear, and Row.Withheld has the verdict that the figures would have
// had. With Strict it is a gap, too. Constants, and what a program allocates, do not depend on
// placement.
//
// With a single run, samples whose first autocorrelation is significant count for as many as
// first-order autoregression leaves of them.
//
// [Options].Judge puts another test in the place of this one, for samples that were taken in turn:
// see package ab. README.md of gobench has measured error rates.
package compare

import (
	"cmp"
	"errors"
	"fmt"
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
	DefaultThreshold = 0.03  // the least relative change that matters
	DefaultAlpha     = 0.02  // the probability of any false alarm in a comparison of all benchmarks
	DefaultRunNoise  = 0.005 // added to the relative standard error with few runs
)

const (
	MinSamples = 6 // a side; with fewer there is no 95% interval of a median
	MinRuns    = 3 // a side; fewer do not tell changes from placement
	EnoughRuns = 6 // process runs from which their own spread is known well enough
)

// PlacementChange is a change, relative to the smaller value, that neither placement in memory nor
// drift explains. Equal code has been seen to differ by half of that.
const PlacementChange = 1.0

// Rules say what is a change, and what does not count. The zero value means the defaults.
type Rules struct {
	Threshold *Thresholds // the least changes that matter; nil: DefaultThreshold for every unit
	Alpha     float64     // the probability of any false alarm, between 0 and 1; 0: DefaultAlpha
	Ignore    string      // keys of names and lines that keep no results apart, as in "cpu,/kernel"
	Accept    []GapKind   // gaps of these kinds are reported and do not count
	Strict    bool        // a comparison that is too noisy to tell is a gap
}

// Options says how results are grouped and judged.
type Options struct {
	Rules
	Table, Row, Col, Filter string // as of benchstat; "": .config, .fullname, .file, all

	// Judge, if not nil, is called for every benchmark of a statistical unit that both sides have.
	// If it returns ok, its judgement replaces the usual test and the rules for few samples and
	// runs.
	Judge func(t Table, r Row) (j Judgement, ok bool)
}

// Judgement is the verdict of Options.Judge on a row.
type Judgement struct {
	Effect   Effect            // final, without NaN; the verdict follows by the usual rule
	Old, New resultfile.Figure // what is shown: the effect is their difference
}

// WithDefaults fills in what was not given, and refuses what makes no sense.
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

// Thresholds holds the least relative changes that matter: 0.03 for 3%.
type Thresholds struct {
	Default float64            // for statistical units that Units does not name; exact units have 0
	Units   map[string]float64 // by tidied unit: sec/op for ns/op
}

// ParseThresholds reads percentages: "3%" for statistical units, "ns/op=5%" for any one unit.
func ParseThresholds(texts []string) (*Thresholds, error) {
	t := &Thresholds{Default: DefaultThreshold, Units: map[string]float64{}}
	for _, text := range texts {
		// The unit may contain "=", the percentage cannot.
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

// Of returns the threshold of a tidied unit (sec/op where files have ns/op).
func (t *Thresholds) Of(unit string, exact bool) float64 {
	if v, ok := t.Units[unit]; ok {
		return v
	}
	if exact {
		return 0
	}
	return t.Default
}

// Compare compares the first column with each of the others. Columns are files, in the order of the
// inputs, unless Options.Col says otherwise. What cannot be compared is in the report. It fails if
// options make no sense, or if a file is no text in UTF-8.
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
	b := builder{collector: c, options: o, report: &Report{Alpha: o.Alpha, Gaps: c.gaps}, known: map[string]int{}}
	b.build()
	b.judge()
	b.noteHeads(inputs, documents)
	b.noteRuns()
	b.noteShift()
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
	known   map[string]int // gaps of the report, by all that they say but the units
}

// gap reports what could not be compared in a unit, "" for all. A gap in other units joins it.
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

func sortedKeys[V any](m map[benchproc.Key]V) []benchproc.Key {
	keys := make([]benchproc.Key, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	benchproc.SortKeys(keys)
	return keys
}
