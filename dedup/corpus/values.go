package corpus

import (
	"context"
	"fmt"
)

// values returns the values of records, by their numbers, which ascend. Each input is read again,
// if there is one of its records among them.
func (r *Result) values(ctx context.Context, records []int) ([]float64, error) {
	type part struct{ first, from, to int } // number of the input's first record; of records
	parts := make([]part, len(r.counts))
	first, at := 0, 0
	for i, count := range r.counts {
		p := part{first: first, from: at}
		for first += count; at < len(records) && records[at] < first; {
			at++
		}
		p.to = at
		parts[i] = p
	}
	values := make([]float64, len(records))
	err := r.run.eachInput(ctx, func(i int) error {
		p, in := parts[i], r.run.Inputs[i]
		if p.from == p.to {
			return nil
		}
		own := make([]int, 0, p.to-p.from)
		for _, record := range records[p.from:p.to] {
			own = append(own, record-p.first)
		}
		before, err := stateOf(in.Path) // members compares the fingerprints with it or a newer one
		if err != nil {
			return err
		}
		list, err := r.run.Values(ctx, in.Path, r.counts[i], own)
		if err == nil && len(list) != len(own) {
			err = fmt.Errorf("corpus: %d values of %d records of %s", len(list), len(own), in.Path)
		}
		if err != nil {
			return err
		}
		copy(values[p.from:], list)
		return unchanged(in, before)
	})
	return values, err
}
