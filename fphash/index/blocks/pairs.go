package blocks

import (
	"context"
	"fmt"
	"iter"

	"simhashkit/asm/hamming"
	"simhashkit/fphash/index"
	"simhashkit/fphash/index/join"
)

// Pair is two fingerprints of a block that are near each other.
type Pair struct {
	A, B     int // positions in the block, the lower one first
	Distance int
}

// compared is how many fingerprints of a block are compared all with all. More of them are brought
// together once more, by what is left of their bits, which takes longer to begin with.
const compared = 1024

// Pairs returns the pairs among the fingerprints of a block that are for this table to report, each
// once, in an order that depends on the fingerprints alone. Words has the fingerprints one after
// the other, (Bits+63)/64 words each; all have the same key in that table. It ends with an error,
// and a pair that means nothing, if words are no fingerprints of that width or the context is done.
//
// Cost: a block of up to about a thousand is compared all with all, a larger one is split by the
// rest of its bits as package join does; memory is some 12 bytes a fingerprint then. Copies of one
// fingerprint are as many pairs as there are twos of them: Links has those that join them alone.
func (t *Tables) Pairs(ctx context.Context, table int, words []uint64) iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) {
		set, err := t.set(table, words)
		if err != nil {
			yield(Pair{}, err)
			return
		}
		report := func(p Pair) bool { return !t.isFirst(table, set.At(p.A), set.At(p.B)) || yield(p, nil) }
		if set.Len() <= compared {
			t.compareAll(set, report)
			return
		}
		for p, err := range (&join.Join{Set: set, K: t.k}).Pairs(ctx) {
			if err != nil {
				yield(Pair{}, fmt.Errorf("blocks: %w", err))
				return
			}
			if !report(Pair{int(p.A), int(p.B), p.Distance}) {
				return
			}
		}
	}
}

// compareAll calls report with all pairs within k, until it returns false.
func (t *Tables) compareAll(set *index.Set, report func(Pair) bool) {
	w := set.Stride()
	var near []hamming.Match
	for a := range set.Len() {
		near = hamming.AppendWithin(near[:0], set.Words[(a+1)*w:], set.At(a), t.k)
		for _, m := range near {
			if !report(Pair{a, a + 1 + m.Index, m.Distance}) {
				return
			}
		}
	}
}

// set returns the fingerprints of a block as a set.
func (t *Tables) set(table int, words []uint64) (*index.Set, error) {
	if table < 0 || table >= len(t.masks) {
		return nil, fmt.Errorf("blocks: table %d, expected 0 to %d", table, len(t.masks)-1)
	}
	set := &index.Set{Bits: t.bits, Words: words}
	if err := set.Check(); err != nil {
		return nil, fmt.Errorf("blocks: %w", err)
	}
	return set, nil
}

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
		firsts, err := t.firsts(ctx, set)
		if err != nil {
			yield(Pair{}, err)
			return
		}
		for i, f := range firsts {
			if f != i && !yield(Pair{f, i, set.Distance(f, set, i)}, nil) {
				return
			}
		}
	}
}

// firsts returns the first member of the group of each fingerprint; nil if there are no groups.
func (t *Tables) firsts(ctx context.Context, set *index.Set) (firsts []int, err error) {
	begin := func() {
		firsts = make([]int, set.Len())
		for i := range firsts {
			firsts[i] = i
		}
	}
	if set.Len() > compared {
		groups, err := (&join.Join{Set: set, K: t.k}).Groups(ctx)
		if err != nil {
			return nil, fmt.Errorf("blocks: %w", err)
		}
		begin()
		for _, g := range groups.All() {
			for _, m := range g.Members {
				firsts[m] = int(g.Members[0])
			}
		}
		return firsts, nil
	}
	find := func(i int) int {
		for firsts[i] != i {
			firsts[i] = firsts[firsts[i]]
			i = firsts[i]
		}
		return i
	}
	t.compareAll(set, func(p Pair) bool {
		if firsts == nil {
			begin() // most blocks have no pair
		}
		a, b := find(p.A), find(p.B)
		firsts[max(a, b)] = min(a, b)
		return true
	})
	for i := range firsts {
		firsts[i] = find(i)
	}
	return firsts, nil
}

// leastRest is how many bits of each block the rest of a fingerprint must have to be split by, and
// what package join asks for on disk.
const leastRest = 4

// External returns a join for a block that is more than memory is to hold: it finds all pairs
// within k of the source's fingerprints, which have the same key in that table, by their other
// bits. Pairs that a table before reports are among them: Near tells which.
func (t *Tables) External(table int, source func() iter.Seq2[join.Record, error]) *join.External {
	mask := make([]uint64, len(t.masks[table]))
	for i, word := range t.masks[table] {
		mask[i] = ^word
	}
	if t.bits%64 != 0 {
		mask[len(mask)-1] &= 1<<(t.bits%64) - 1
	}
	rest := newExtract(mask)
	if rest.bits/(t.k+1) < leastRest {
		return &join.External{Bits: t.bits, K: t.k, Source: source}
	}
	return &join.External{Bits: rest.bits, K: t.k, Source: func() iter.Seq2[join.Record, error] {
		return func(yield func(join.Record, error) bool) {
			words := make([]uint64, rest.words())
			for r, err := range source() {
				if err == nil {
					clear(words)
					rest.fill(words, r.Words)
					r.Words = words
				}
				if !yield(r, err) {
					return
				}
			}
		}
	}}
}
