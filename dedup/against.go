package dedup

import (
	"context"
	"errors"
	"iter"
)

// Match is the record of another set that a record is near, the nearest and of these the first.
type Match struct {
	ID       string
	Distance int // in bits
}

// FindAgainst is Find with an Against of that name whose records come in batches, so that memory is
// for one of them. Matches of the result says which record was near which.
//
// Beside the batches it takes some 60 bytes and an id for each record that is near one.
func FindAgainst(ctx context.Context, records *Records, name string, batches iter.Seq2[*Records, error], options Options) (*Result, error) {
	r := &Result{Options: options, Records: records, near: make([]bool, records.Set.Len()), matches: map[uint32]Match{}}
	if options.Verify != nil || options.Recall > 0 {
		return nil, errors.New("dedup: of what comes in batches, expected neither a recall nor what to verify")
	}
	all := &Records{Name: name}
	for batch, err := range batches {
		if err != nil {
			return nil, err
		}
		r.Against = batch
		if err := r.refuse(); err != nil {
			return nil, err
		}
		if all.Len() == 0 {
			if err := r.explain(ctx); err != nil {
				return nil, err
			}
		}
		if err := r.matchBatch(ctx); err != nil {
			return nil, err
		}
		all.count += batch.Len()
		all.without += batch.WithoutFingerprint()
	}
	all.Set.Bits, all.Set.Definition = records.Set.Bits, records.Set.Definition
	r.Against = all
	return r, r.refuse()
}

// matchBatch finds what is near one of Against.
func (r *Result) matchBatch(ctx context.Context) error {
	type found struct {
		distance int
		record   uint64
	}
	nearest := map[uint32]found{}
	for p, err := range r.Pairs(ctx) {
		if err != nil {
			return err
		}
		position, _ := r.Records.position(p.A)
		former, ok := nearest[position]
		if !ok || p.Distance < former.distance || p.Distance == former.distance && p.B < former.record {
			nearest[position] = found{p.Distance, p.B}
		}
	}
	for position, f := range nearest {
		former, ok := r.matches[position]
		if !ok || f.distance < former.Distance {
			r.near[position], r.matches[position] = true, Match{r.Against.ID(int(f.record)), f.distance}
		}
	}
	return nil
}

// Match returns what the record at a position of the set is near, after FindAgainst.
func (r *Result) Match(position int) (Match, bool) {
	m, ok := r.matches[uint32(position)]
	return m, ok
}
