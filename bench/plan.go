package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/quality"
	"simhashkit/fphash"
)

// Plan is everything that options ask for: cases to be timed, and cells. What is timed must not run
// at the same time as the others.
type Plan struct {
	Cases []Case
	Cells []Cell
}

// NewPlan lists the cases that the options select. It returns an error if an option names something
// that does not exist or cannot run here, or if no case is selected.
func NewPlan(o Options) (*Plan, error) {
	cases, err := o.timed()
	if err != nil {
		return nil, err
	}
	p := &Plan{Cases: cases}
	if p.Cells, err = o.cells(); err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	if o.Widen != fphash.WidenNone && !slices.ContainsFunc(cases, Case.widened) && !slices.ContainsFunc(p.Cells, func(c Cell) bool { return c.widen != fphash.WidenNone }) {
		return nil, errNotWidened(o.Widen)
	}
	if len(p.Cases)+len(p.Cells) == 0 {
		return nil, errNothingLeft
	}
	return p, nil
}

var errNothingLeft = errors.New("bench: no benchmark matches these flags: no name matches, a hash is narrower than the width, or no operation has the kernel")

func errNotWidened(w fphash.Widen) error {
	return fmt.Errorf("bench: no sketch is widened by %v: what is left has no width beyond a hash that it suits", w)
}

func (c Case) widened() bool { return c.Name.Get("widen") != "" }

// Names returns the names of all that is planned, in the order in which it runs.
func (p *Plan) Names() []string {
	var names []string
	for _, c := range p.Cases {
		names = append(names, c.Name.String())
	}
	for _, c := range p.Cells {
		names = append(names, c.Name.String())
	}
	return names
}

// NeedData reports whether anything needs the data set.
func (p *Plan) NeedData() bool {
	return slices.ContainsFunc(p.Cases, func(c Case) bool { return c.Name.Get("data") != "" }) ||
		slices.ContainsFunc(p.Cells, func(c Cell) bool { return c.pattern == quality.Data })
}

// Outcome is the result of a plan.
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
