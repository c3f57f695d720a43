package bench

import (
	"errors"
	"fmt"
	"slices"

	"simhashkit/bench/quality"
	"simhashkit/fphash"
)

// Plan is everything that options ask for: cases to be timed, and cells. What is timed must not run
// at the same time as the others.
type Plan struct {
	Cases []Case
	Cells []Cell
}

// NewPlan lists what the options choose. It is an error if an option names something that does not
// exist or cannot run here, or if nothing is left.
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

var errNothingLeft = errors.New("bench: no case is left: what was asked for does not go together (a hash narrower than the width, a kernel that no op has), or no name matches")

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
