package compare

import (
	"slices"
	"strings"

	"simhashkit/bench/gobench/resultfile"
)

// Report is what a comparison has found.
type Report struct {
	Alpha  float64 // the bound on any false alarm
	Tables []Table
	Gaps   []Gap    // what could not be compared
	Notes  []string // what a reader should know, and no reason for an exit code
	// what was not measured, since the programs of both sides are the same, byte for byte
	Same []string
}

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

// Effect is the difference between the two sides.
type Effect struct {
	Change float64 // relative: 0.06 if new is 6% more than old; infinite if old is 0 and new is not
	Lo, Hi float64 // 95% confidence interval of Change, or Change itself if the unit is exact
	// without noise 0 or 1, otherwise adjusted for the number of comparisons with noise (by
	// Options.Judge, if the effect is from there)
	P float64
	// Detectable is the relative change that would have been found significant with a probability
	// of 80%; 0 without noise.
	Detectable float64
	Noise      bool // the unit is not exact, and the samples of a side differ
	// samples of a side resemble their neighbours in time, and the interval is wider for it
	Stretched bool

	detectable func(alpha float64) float64
}

// Verdict says what a row shows.
type Verdict string

const (
	Regression  Verdict = "REGRESSION"
	Improvement Verdict = "improvement"
	Small       Verdict = "small"     // significant, but within the threshold
	NoChange    Verdict = "no change" // the interval lies within the threshold
	// not significant, and too noisy to rule out a change beyond the threshold
	Unclear Verdict = "unclear"
	// significant and beyond the threshold, but nobody says which direction is better
	Changed   Verdict = "changed"
	New       Verdict = "new"
	Missing   Verdict = "missing"
	TooFew    Verdict = "too few samples"
	Inexact   Verdict = "inexact"    // the unit is declared exact, and the samples differ
	NotJudged Verdict = "not judged" // the unit is declared judge=no
)

// Verdicts lists all verdicts, those first that matter most.
func Verdicts() []Verdict {
	return []Verdict{Regression, Improvement, Changed, Small, Unclear, NoChange, New, Missing, TooFew, Inexact, NotJudged}
}

// Compared reports whether a row of that verdict has an effect.
func (v Verdict) Compared() bool {
	return !slices.Contains([]Verdict{New, Missing, TooFew, Inexact, NotJudged}, v)
}

// Gap is something that could not be compared.
type Gap struct {
	Kind      GapKind
	File      string // where to look, "" if it is in no file
	Line      int
	Benchmark string // whose gap it is, "" if it is not that of one
	Message   string
	Units     []string // of a benchmark's gap: the units that it is a gap in
	Accepted  bool     // it does not count
}

// GapKind says why something could not be compared.
type GapKind string

const (
	GapMissing GapKind = "missing" // a benchmark is not in the newer column
	GapSamples GapKind = "samples" // fewer than MinSamples samples
	// goos, goarch, cpu or another line that splits tables differs
	GapMachine GapKind = "machine"
	// a line that does not parse, a value that is no number, metadata that contradict
	GapSyntax    GapKind = "syntax"
	GapFailed    GapKind = "failed"    // the run says that a benchmark failed
	GapInexact   GapKind = "inexact"   // samples of an exact unit differ
	GapDirection GapKind = "direction" // a unit has changed of which nobody says what is better
	// a change below PlacementChange with fewer than MinRuns process runs a side; accepted, it is
	// judged nevertheless and is no gap
	GapRuns    GapKind = "runs"
	GapUnclear GapKind = "unclear" // too noisy, with Options.Strict
	GapEmpty   GapKind = "empty"   // there is nothing to compare; cannot be accepted
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

// Count returns how many rows have each verdict.
func (r *Report) Count() map[Verdict]int {
	count := map[Verdict]int{}
	for _, t := range r.Tables {
		for _, row := range t.Rows {
			count[row.Verdict]++
		}
	}
	return count
}

// OpenGaps returns how many gaps count.
func (r *Report) OpenGaps() int {
	open := 0
	for _, g := range r.Gaps {
		if !g.Accepted {
			open++
		}
	}
	return open
}
