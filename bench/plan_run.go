package bench

import (
	"context"
	"fmt"
	"time"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/projections"
)

// Outcome is what a plan gave.
type Outcome struct {
	Rows  []resultfile.Row
	Units []resultfile.Unit // of the rows
	Note  string            // why there is no verdict on the data set; see CellResults
}

// fullMemory is what stored matrices may take in full: 4 GiB, for 64 bits and 10^7 dimensions.
const fullMemory = 4 << 30

// Run times the cases, then computes the cells, then measures the projections: one after the other,
// since cells and matrices take all there is of the machine. It fails where [Run] does. Options are
// those that the plan was made of.
func (p *Plan) Run(ctx context.Context, in *Inputs, o Options, r RunOptions) (*Outcome, error) {
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
	if len(p.Projections) > 0 {
		if err := p.project(ctx, out, o, r); err != nil {
			return nil, err
		}
		exact = append(exact, projections.ExactUnits()...)
	}
	out.Units = describe(out.Rows, exact)
	return out, nil
}

func (p *Plan) project(ctx context.Context, out *Outcome, o Options, r RunOptions) error {
	options := projections.RunOptions{Samples: r.Samples, SampleTime: r.SampleTime}
	switch len(o.Hashes) {
	case 0:
	case 1:
		options.Hash = o.Hashes[0]
	default:
		return fmt.Errorf("bench: %d hashes: projections are measured with one", len(o.Hashes))
	}
	if o.Full {
		options.MemoryLimit = fullMemory
	}
	start := time.Now()
	options.Progress = func(step, name string, done int) {
		r.Progress(Progress{Step: step, Case: done + 1, Cases: len(p.Projections), Name: name, Elapsed: time.Since(start)})
	}
	rows, err := projections.Run(ctx, p.Projections, options)
	if err != nil {
		return err
	}
	out.Rows = append(out.Rows, projections.Results(rows)...)
	return nil
}
