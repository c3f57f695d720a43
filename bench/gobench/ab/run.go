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
	// nil: that side lacks it; the other one is run once, for the report to say so
	Old, New   Runner
	Benchmarks int // that a process runs, each with a budget of its own; 0: one
}

// Progress says how far a run has come.
type Progress struct {
	Task        string
	Round       int // of the task
	Comparisons int // 0 in the first rounds
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

	seed  uint64 // of the order
	start string
}

// Run runs rounds of the tasks in turn until all comparisons are decided or the budget is used. All
// tasks have the same time. It fails if the context is done before that, since partial results are
// no verdict, or if nothing is left to compare. What failed or could not be compared is in the
// report: a run that goes on when the budget is used is stopped, and its benchmarks are judged by
// the rounds before it. Runs of the first round have ten seconds at least.
//
// Processes are started from the calling goroutine and inherit what its thread is bound to.
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
