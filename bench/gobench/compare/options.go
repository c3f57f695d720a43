package compare

import (
	"cmp"
	"fmt"
	"slices"

	"simhashkit/bench/gobench/resultfile"
)

// The defaults.
const (
	DefaultThreshold = 0.03 // the least relative change that matters
	DefaultAlpha     = 0.02 // the probability of any false alarm in a comparison of all benchmarks
	// added to the relative standard error of a side that has fewer than EnoughRuns runs
	DefaultRunNoise = 0.005
)

const (
	// of a statistical unit, on each side: with fewer there is no 95% interval of a median
	MinSamples = 6
	// process runs a side: with fewer a change below PlacementChange may be one of placement in
	// memory
	MinRuns    = 3
	EnoughRuns = 6 // process runs from which their own spread is known well enough
)

// PlacementChange is a change, relative to the smaller value, that neither the placement of code
// and data in memory nor the drift of a machine explains. The largest that were recorded of equal
// code are 0.25 and 0.39 by placement, and 0.5 between two recordings.
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
	// Projections and filter, in the syntax of benchstat. The defaults are .config, .fullname,
	// .file and all results.
	Table, Row, Col, Filter string

	// Judge, if not nil, is called for every benchmark of a statistical unit that both sides have.
	// If it returns ok, its judgement replaces the usual test, and the rules for few samples and
	// few process runs do not apply. It gets the table without its rows.
	Judge func(t Table, r Row) (j Judgement, ok bool)
}

// Judgement is the verdict of Options.Judge on a row.
type Judgement struct {
	// P must be final, comparable with Alpha without regard to the other rows, and no field may be
	// NaN; the verdict follows by the usual rule.
	Effect   Effect
	Old, New resultfile.Figure // what is shown: the effect is their difference
}

// Check returns the error that Compare has for options that make no sense, without anything to
// compare.
func (o Options) Check() error {
	o, err := o.withDefaults()
	if err != nil {
		return err
	}
	_, err = newCollector(o)
	return err
}

// WithDefaults fills in what was not given, and refuses what makes no sense.
func (r Rules) WithDefaults() (Rules, error) {
	if r.Threshold == nil {
		r.Threshold = &Thresholds{Default: DefaultThreshold}
	}
	if r.Alpha == 0 {
		r.Alpha = DefaultAlpha
	}
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
