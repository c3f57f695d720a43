package corpus

import (
	"context"
	"strconv"
)

// Inputs returns the inputs, whose records are numbered from the first of the first input on.
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
	first := r.oldRecords
	for i, count := range r.counts {
		if err := r.nameIn(ctx, i, first, names); err != nil {
			return err
		}
		first += count
	}
	r.Records.IDs = func(record int) string {
		if name, ok := names[record]; ok {
			return name
		}
		return strconv.Itoa(record + 1)
	}
	return nil
}

// nameIn reads the ids that are wanted of an input, whose first record has that number.
func (r *Result) nameIn(ctx context.Context, input, first int, names map[int]string) error {
	last := -1 // to be read
	for record := range names {
		if record >= first && record < first+r.counts[input] {
			last = max(last, record)
		}
	}
	if last < first {
		return nil
	}
	record := first
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
