package compare

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchunit"

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

// PlacementChange is what may come from nothing but where code and data lie in a process: a change,
// relative to the smaller value, that takes more than that. The extremes that have been recorded
// are 0.25 and 0.39 (see the package documentation).
const PlacementChange = 0.5

// Options says how results are grouped and judged. The zero value, with empty projections, means
// what DefaultOptions says.
type Options struct {
	// Projections and filter, written as for benchstat: .config, .fullname, .file, nothing ignored,
	// and everything, unless given.
	Table, Row, Col, Ignore, Filter string

	// Threshold holds the least change that matters; nil: DefaultThreshold for every unit.
	Threshold *Thresholds
	// Alpha is the probability of any false alarm, between 0 and 1; 0: DefaultAlpha.
	Alpha float64
	// Accept lists kinds of gaps that are reported but do not count.
	Accept []GapKind
	// Strict makes a gap of every comparison that is too noisy to tell a change of the threshold
	// from none.
	Strict bool

	// Judge, if not nil, is asked about every benchmark of a statistical unit that both sides have.
	// Where it returns ok, its judgement stands instead of that of the usual test, and the rules for
	// few samples and few process runs do not apply: whoever took the samples knows better what
	// they show. It gets the table without its rows.
	Judge func(t Table, r Row) (j Judgement, ok bool)
}

// Judgement is what whoever took the samples says of a row.
type Judgement struct {
	// P must be final, comparable with Alpha without regard to the other rows, and no field may be
	// NaN; the verdict follows by the usual rule.
	Effect Effect
	// the figures that the effect is the difference of, which are shown; nil: the medians of all
	// samples
	Old, New *resultfile.Figure
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

// withDefaults fills in what was not given and refuses what makes no sense.
func (o Options) withDefaults() (Options, error) {
	for _, d := range []struct {
		field *string
		value string
	}{{&o.Table, ".config"}, {&o.Row, ".fullname"}, {&o.Col, ".file"}, {&o.Filter, "*"}} {
		if *d.field == "" {
			*d.field = d.value
		}
	}
	if o.Threshold == nil {
		o.Threshold = &Thresholds{Default: DefaultThreshold}
	}
	if o.Alpha == 0 {
		o.Alpha = DefaultAlpha
	}
	if !(o.Alpha > 0 && o.Alpha < 1) {
		return o, fmt.Errorf("compare: alpha %v: must lie between 0 and 1", o.Alpha)
	}
	for _, k := range o.Accept {
		if !slices.Contains(GapKinds(), k) {
			return o, fmt.Errorf("compare: unknown kind of gap %q; expected %s", k, kindNames())
		}
	}
	return o, nil
}

// Thresholds holds the least relative changes that matter: 0.03 for 3%.
type Thresholds struct {
	Default float64            // for statistical units that Units does not name; exact units have 0
	Units   map[string]float64 // by tidied unit: sec/op for ns/op
}

// ParseThresholds reads percentages, "3%" for all statistical units and "ns/op=5%" for one unit,
// exact or not.
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
		value, err := parsePercentage(percentage)
		if err != nil {
			return nil, fmt.Errorf("compare: threshold %q: %w", text, err)
		}
		if unit == "" {
			t.Default = value
			continue
		}
		_, tidied := benchunit.Tidy(1, unit)
		t.Units[tidied] = value
	}
	return t, nil
}

func parsePercentage(text string) (float64, error) {
	number, ok := strings.CutSuffix(text, "%")
	value, err := strconv.ParseFloat(number, 64)
	if !ok || err != nil || math.IsNaN(value) || math.IsInf(value, 0) || value < 0 {
		return 0, errors.New("expected a percentage that is not negative, as in 3%")
	}
	return value / 100, nil
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

// Equal reports whether both have the same thresholds.
func (t *Thresholds) Equal(u *Thresholds) bool {
	return t.Default == u.Default && maps.Equal(t.Units, u.Units)
}
