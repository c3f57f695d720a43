package dedup

import (
	"context"
	"fmt"

	"simhashkit/fphash/index"
	"simhashkit/internal/english"
)

// findAmong compares those with each other that are near none of Against, and drops all but the one
// to keep of each group.
func (r *Result) findAmong(ctx context.Context) error {
	set := &r.Records.Set
	left := &Records{Name: r.Records.Name, Set: index.Set{Bits: set.Bits, Definition: set.Definition}}
	var positions []uint32 // of those that are left
	for i, near := range r.near {
		if near {
			continue
		}
		positions = append(positions, uint32(i))
		left.Set.Words = append(left.Set.Words, set.At(i)...)
	}
	among := &Result{Options: r.Options, Records: left}
	among.Against = nil
	if err := among.explain(ctx); err != nil {
		return err
	}
	if err := among.find(ctx); err != nil {
		return err
	}
	for i, position := range positions {
		if among.dropped(uint32(i)) {
			r.near[position] = true
			r.among++
		}
	}
	return nil
}

// answerAmong is what the first sentence says of those that were compared with each other.
func (r *Result) answerAmong() string {
	if !r.Among {
		return ""
	}
	return fmt.Sprintf(", and %d of the others %s in a group with one that is kept", r.among, english.Plural(r.among, "stands", "stand"))
}
