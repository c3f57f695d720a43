package ab

import (
	"context"
	"fmt"
	"time"

	"simhashkit/bench/gobench/compare"
)

// DefaultBudget is the time for a benchmark by default.
const DefaultBudget = 15 * time.Second

// Options says how long sides are run, and how they are judged.
type Options struct {
	compare.Rules
	Old, New string // labels of the sides; "": old, new
	// of a benchmark, wall clock; m benchmarks share m budgets. 0: DefaultBudget
	Budget   time.Duration
	Seed     uint64 // of the coin
	Control  bool   // nothing ends before the budget does
	Progress func(Progress)

	now func() time.Time // a test's clock
	// a test's context.WithTimeoutCause
	timeout func(context.Context, time.Duration, error) (context.Context, context.CancelFunc)
}

// Check returns the error that Run has for options that make no sense, before anything is built for
// it.
func (o Options) Check() error {
	_, err := o.withDefaults()
	return err
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
	rules, err := o.Rules.WithDefaults()
	if err == nil {
		err = compare.Options{Rules: rules}.Check()
	}
	if err != nil {
		return o, fmt.Errorf("ab: %w", err)
	}
	o.Rules = rules
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	if o.now == nil {
		o.now = time.Now
	}
	if o.timeout == nil {
		o.timeout = context.WithTimeoutCause
	}
	return o, nil
}
