package dedup

import (
	"context"
	"errors"

	"simhashkit/fphash/index/join"
)

// FindExternal is Find among records whose fingerprints are more than memory is to hold: x has
// those of all records that have one, with the number of the record, from 0, for its id. Each
// record was counted by records.Count, and records.Set says how many bits a fingerprint has. There
// is no Against.
//
// Beside the memory of x it takes 4 bytes for each record, and some 60 for each that is in a group.
func FindExternal(ctx context.Context, records *Records, x *join.External, options Options) (*Result, error) {
	if options.Against != nil {
		return nil, errors.New("dedup: another set, expected none where fingerprints are on disk")
	}
	r := &Result{Options: options, Records: records, external: x}
	if err := r.refuse(); err != nil {
		return nil, err
	}
	x.Bits, x.K, x.Recall, x.Workers, x.Progress = records.Set.Bits, options.K, options.Recall, options.Workers, options.Progress
	if err := r.explain(ctx); err != nil {
		return nil, err
	}
	groups, set, err := x.Groups(ctx)
	if err != nil {
		return nil, err
	}
	records.Set.IDs, records.Set.Words = set.IDs, set.Words
	return r, r.keep(ctx, groups)
}
