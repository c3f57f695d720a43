package dedup

import (
	"cmp"
	"context"
	"fmt"
)

// Preference says which record of a group is kept: that of the largest value, the first of several.
type Preference struct {
	Name string // in sentences: "the longest"

	// Values returns the values of records by their numbers, which are ascending.
	Values func(ctx context.Context, records []int) ([]float64, error)
}

// order returns the order in which the members of groups are preferred, by positions; nil is their
// own. Roots says which members belong together: those with the same root.
func (r *Result) order(ctx context.Context, roots []uint32) (func(a, b uint32) int, error) {
	if r.Prefer == nil {
		return nil, nil
	}
	member := make([]bool, len(roots))
	for i, root := range roots {
		if root != uint32(i) {
			member[i], member[root] = true, true
		}
	}
	var records []int
	for i := range member {
		if member[i] {
			records = append(records, r.Records.record(uint32(i)))
		}
	}
	values, err := r.Prefer.Values(ctx, records)
	if err == nil && len(values) != len(records) {
		err = fmt.Errorf("dedup: %d values of %d records", len(values), len(records))
	}
	if err != nil {
		return nil, err
	}
	of := make([]float64, len(roots))
	for i, next := 0, 0; i < len(of); i++ {
		if member[i] {
			of[i] = values[next]
			next++
		}
	}
	return func(a, b uint32) int { return cmp.Or(cmp.Compare(of[b], of[a]), cmp.Compare(a, b)) }, nil
}
