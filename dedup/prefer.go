package dedup

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
)

// Preference says which record of a group is kept: that of the largest value, the first of several.
type Preference struct {
	Name string // in sentences: "the longest"

	// Values reads the values of new records: numbers in the form of big.Rat, or no bytes for a
	// record without a value, which is preferred last.
	Values Reread
}

// order returns a comparison of positions that sorts the members of a group by preference, old
// records first; nil means ascending positions. Records with the same root are one group.
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
	var records []uint64
	var positions []int
	old := r.oldPositions()
	for i := old; i < len(member); i++ {
		if member[i] {
			records = append(records, uint64(r.Records.record(uint32(i))))
			positions = append(positions, i)
		}
	}
	of := make([]*big.Rat, len(roots))
	read, none := 0, true
	err := r.Prefer.Values(ctx, records, func(record uint64, text []byte) error {
		if len(text) > 0 {
			value, ok := new(big.Rat).SetString(string(text))
			if !ok {
				return fmt.Errorf("dedup: the value %q of record %d: expected a number", text, record)
			}
			of[positions[read]], none = value, false
		}
		read++
		return nil
	})
	if err == nil && read != len(records) {
		err = fmt.Errorf("dedup: %d values of %d records", read, len(records))
	}
	if err == nil && none && len(records) > 0 {
		err = fmt.Errorf("to keep %s: expected a document of a group that has a value, got none", r.Prefer.Name)
	}
	if err != nil {
		return nil, err
	}
	return func(a, b uint32) int {
		if int(min(a, b)) < old {
			return cmp.Compare(a, b)
		}
		return cmp.Or(compareValues(of[b], of[a]), cmp.Compare(a, b))
	}, nil
}

// compareValues compares numbers; none is less than any.
func compareValues(a, b *big.Rat) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return -1
	case b == nil:
		return 1
	}
	return a.Cmp(b)
}
