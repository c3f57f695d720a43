package bench

import (
	"context"

	"simhashkit/bench/gobench/resultfile"
)

// Outcome is what a plan gave.
type Outcome struct {
	Rows  []resultfile.Row
	Units []resultfile.Unit // of the rows
	Note  string            // why there is no verdict on the data set; see CellResults
}

// Run times the cases, then computes the cells: one after the other, since cells take all there is
// of the machine. It fails where [Run] does.
func (p *Plan) Run(ctx context.Context, in *Inputs, r RunOptions) (*Outcome, error) {
	if r.Progress == nil {
		r.Progress = func(Progress) {}
	}
	out := &Outcome{}
	var exact []string // units
	if len(p.Cases) > 0 {
		rows, err := Run(ctx, p.Cases, in, r)
		if err != nil {
			return nil, err
		}
		out.Rows = rows
		for _, c := range p.Cases {
			exact = append(exact, c.Counted...)
		}
	}
	if len(p.Cells) > 0 {
		results, err := RunCells(ctx, p.Cells, in, CellOptions{Progress: r.Progress})
		if err != nil {
			return nil, err
		}
		out.Note = results.Note
		exact = append(exact, unitsOf(results.Rows)...)
		out.Rows = append(out.Rows, results.Rows...)
	}
	out.Units = describe(out.Rows, exact)
	return out, nil
}
