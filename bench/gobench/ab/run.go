package ab

import (
	"context"
	"errors"
	"time"

	"simhashkit/bench/gobench/compare"
)

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
