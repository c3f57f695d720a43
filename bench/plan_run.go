package bench

import (
	"context"

	"simhashkit/bench/gobench/resultfile"
)

// Outcome is what a plan gave.
type Outcome struct {
	Rows  []resultfile.Row
	Units []resultfile.Unit // of the rows
}

// Run checks and times the cases, then computes the cells: one after the other, since cells take
// all there is of the machine. What cannot run or gives a wrong answer has a row with an error. Run
// itself fails if the context is done before the end, and returns no rows then.
//
// While it runs it changes the kernels that the whole process uses, and puts them back afterwards.
func (p *Plan) Run(ctx context.Context, in *Inputs, r RunOptions) (*Outcome, error) {
	if r.Samples == 0 {
		r.Samples = DefaultSamples
	}
	if r.SampleTime == 0 {
		r.SampleTime = DefaultSampleTime
	}
	if r.Progress == nil {
		r.Progress = func(Progress) {}
	}
	out := &Outcome{}
	var exact []string // units
	if len(p.Cases) > 0 {
		rows, err := runCases(ctx, p.Cases, in, r)
		if err != nil {
			return nil, err
		}
		out.Rows = rows
	}
	if len(p.Cells) > 0 {
		rows, err := runCells(ctx, p.Cells, in, 0, r.Progress)
		if err != nil {
			return nil, err
		}
		exact = unitsOf(rows)
		out.Rows = append(out.Rows, rows...)
	}
	out.Units = describe(out.Rows, exact)
	return out, nil
}
