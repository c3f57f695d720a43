package corpus

import (
	"context"
	"maps"
	"slices"
	"strconv"
)

// Inputs returns the inputs. Their records are numbered consecutively.
func (r *Result) Inputs() []Input { return r.run.Inputs }

// NameRecords reads the ids of the records that the result's Summary and SharedID name, and of
// others.
func (r *Result) NameRecords(ctx context.Context, others ...int) error {
	names := map[int]string{}
	for _, record := range others {
		names[record] = ""
	}
	for _, record := range r.Named() {
		names[record] = ""
	}
	if r.shared.count > 0 {
		names[r.shared.example] = ""
	}
	for record, id := range r.oldIDs {
		names[record] = id
	}
	wanted := slices.Sorted(maps.Keys(names))
	for i, first := range r.firsts {
		end, _ := slices.BinarySearch(wanted, first+r.counts[i])
		if end > 0 && wanted[end-1] >= first {
			if err := r.nameIn(ctx, i, wanted[end-1], names); err != nil {
				return err
			}
		}
	}
	r.Records.IDs = func(record int) string {
		if name, ok := names[record]; ok {
			return name
		}
		return strconv.Itoa(record + 1)
	}
	return nil
}

// nameIn reads the wanted ids of an input.
func (r *Result) nameIn(ctx context.Context, input, last int, names map[int]string) error {
	record := r.firsts[input]
	for stored, err := range r.run.read(ctx, r.run.Inputs[input], nil) {
		if err != nil {
			return err
		}
		if _, ok := names[record]; ok {
			names[record] = string(stored.ID)
		}
		if record++; record > last {
			return nil
		}
	}
	return nil
}
