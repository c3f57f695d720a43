package bench

import (
	"context"

	"simhashkit/bench/gobench/resultfile"
)

// casesOf lists the cases to be timed that the options choose.
func casesOf(o Options) ([]Case, error) {
	p, err := NewPlan(o)
	if err != nil {
		return nil, err
	}
	return p.Cases, nil
}

// runPlain runs a plan of these cases.
func runPlain(ctx context.Context, cases []Case, in *Inputs, o RunOptions) ([]resultfile.Row, error) {
	outcome, err := (&Plan{Cases: cases}).Run(ctx, in, o)
	if err != nil {
		return nil, err
	}
	return outcome.Rows, nil
}
