package blocks

import (
	"context"
	"fmt"
	"iter"

	"simhashkit/asm/hamming"
	"simhashkit/fphash/index"
	"simhashkit/fphash/index/join"
)

// Links returns, in place of the pairs of a block, those that join the same records: for each that
// is near another one, by a chain of near ones of the block, the first of that chain. So there are
// fewer of them than fingerprints, where copies alone have as many pairs as there are twos of them.
// The links of all blocks of all tables together form the groups that all pairs form. The distance
// of a link may be more than k. It ends with an error as Pairs does.
func (t *Tables) Links(ctx context.Context, table int, words []uint64) iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) {
		set, err := t.set(table, words)
		if err != nil {
			yield(Pair{}, err)
			return
		}
		var first func(i int) int
		if set.Len() <= compared {
			first = t.compareAll(set)
		} else if first, err = t.groups(ctx, set); err != nil {
			yield(Pair{}, err)
			return
		}
		for i := range set.Len() {
			if f := first(i); f != i && !yield(Pair{f, i, set.Distance(f, set, i)}, nil) {
				return
			}
		}
	}
}

// compareAll compares all with all, and returns what gives the first of the group of each.
func (t *Tables) compareAll(set *index.Set) (first func(i int) int) {
	var parents []int // nil while there are no groups
	first = func(i int) int {
		for parents != nil && parents[i] != i {
			parents[i] = parents[parents[i]]
			i = parents[i]
		}
		return i
	}
	w := set.Stride()
	var near []hamming.Match
	for a := range set.Len() {
		near = hamming.AppendWithin(near[:0], set.Words[(a+1)*w:], set.At(a), t.k)
		if len(near) > 0 && parents == nil {
			for i := range set.Len() {
				parents = append(parents, i)
			}
		}
		for _, m := range near {
			x, y := first(a), first(a+1+m.Index)
			parents[max(x, y)] = min(x, y)
		}
	}
	return first
}

// groups does the same as package join does.
func (t *Tables) groups(ctx context.Context, set *index.Set) (first func(i int) int, err error) {
	groups, err := (&join.Join{Set: set, K: t.k}).Groups(ctx)
	if err != nil {
		return nil, fmt.Errorf("blocks: %w", err)
	}
	firsts := make(map[int]int)
	for _, g := range groups.All() {
		for _, m := range g.Members[1:] {
			firsts[int(m)] = int(g.Members[0])
		}
	}
	return func(i int) int {
		if f, ok := firsts[i]; ok {
			return f
		}
		return i
	}, nil
}
