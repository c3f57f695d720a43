package ab

import (
	"context"
	"errors"
	"fmt"
	"time"

	"simhashkit/bench/gobench/compare"
)

// DefaultBudget is the time for a benchmark by default.
const DefaultBudget = 15 * time.Second

// Runner starts a process, waits for its end and returns what it printed in Go benchmark format.
// With an error the text is what came before.
type Runner func(context.Context) (text []byte, err error)

// Task is what one process of each side runs: one benchmark, or several that cannot be run
// separately.
type Task struct {
	Name string // for people
	// nil: that side does not have it, and the other one is run once, so that the report can say so
	Old, New Runner
	// how many benchmarks a process runs, which have as many budgets; 0: one
	Benchmarks int
}

// Options says how runs are judged. Texts of options that are not explained here are those of
// compare.Options.
type Options struct {
	Old, New string // labels of the sides; "": old, new
	// of a benchmark, wall clock; m benchmarks share m budgets. 0: DefaultBudget
	Budget    time.Duration
	Threshold *compare.Thresholds
	Alpha     float64
	Ignore    string
	Accept    []compare.GapKind
	Strict    bool
	Seed      uint64 // of the coin
	Control   bool   // nothing ends before the budget does
	Before    func() // called before every process run; nil: nothing is
	Progress  func(Progress)

	now func() time.Time // a test's clock
	// a test's context.WithTimeoutCause
	timeout func(context.Context, time.Duration, error) (context.Context, context.CancelFunc)
}

// Progress says how far a run has come.
type Progress struct {
	Task        string
	Round       int // of the task
	Comparisons int // 0 in the first rounds, while nobody knows
	Decided     int
	Elapsed     time.Duration
	Budget      time.Duration // of everything; 0 in the first rounds
}

// Result is what a run has found.
type Result struct {
	Report      *compare.Report
	Old, New    []byte // all that the sides printed, with seams between the runs
	Comparisons []Comparison
	Rounds      int           // of all tasks
	Elapsed     time.Duration // of all rounds
}

// Run runs rounds of the tasks in turn, such that all have the same time, until all comparisons are
// decided or the budget is used. It fails if the context is done before that (partial results are
// no verdict), or if nothing is left to compare. What could not be compared, and what failed, is in
// the report: a run that has not ended when the budget has is stopped, and its benchmarks are
// judged by the rounds before it. A first round may overrun its budget, up to ten seconds a run.
//
// Processes are started from the calling goroutine, so that they inherit what its thread is bound
// to.
func Run(ctx context.Context, tasks []Task, o Options) (*Result, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	if len(tasks) == 0 {
		return nil, errors.New("ab: nothing to run")
	}
	e, err := newEngine(tasks, o)
	if err != nil {
		return nil, err
	}
	if err := e.run(ctx); err != nil {
		return nil, err
	}
	return e.result()
}

// Check returns the error that Run has for options that make no sense, before anything is built for
// it.
func (o Options) Check() error {
	_, err := o.withDefaults()
	return err
}

// comparison is what package compare is to do with the samples.
func (o Options) comparison() compare.Options {
	return compare.Options{Threshold: o.Threshold, Alpha: o.Alpha, Ignore: o.Ignore, Accept: o.Accept, Strict: o.Strict}
}

func (o Options) withDefaults() (Options, error) {
	if o.Old == "" {
		o.Old = "old"
	}
	if o.New == "" {
		o.New = "new"
	}
	if o.Old == o.New {
		return o, fmt.Errorf("ab: both sides are called %q; expected two labels", o.Old)
	}
	if o.Budget == 0 {
		o.Budget = DefaultBudget
	}
	if o.Budget < 0 {
		return o, fmt.Errorf("ab: budget %v: expected a positive one", o.Budget)
	}
	if o.Threshold == nil {
		o.Threshold = &compare.Thresholds{Default: compare.DefaultThreshold}
	}
	if o.Alpha == 0 {
		o.Alpha = compare.DefaultAlpha
	}
	if err := o.comparison().Check(); err != nil {
		return o, fmt.Errorf("ab: %w", err)
	}
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	if o.Before == nil {
		o.Before = func() {}
	}
	if o.now == nil {
		o.now = time.Now
	}
	if o.timeout == nil {
		o.timeout = context.WithTimeoutCause
	}
	return o, nil
}
