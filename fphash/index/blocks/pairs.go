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
	A, B     int // positions; among those of one block, A is less than B
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
		t.pairs(ctx, table, set, nil, yield)
	}
}

// PairsBetween returns the pairs of one of the fingerprints a and one of b, all of the same key in
// that table, that are for it to report: where a block is cut into batches, its pairs are those of
// Pairs within each batch and those between each two. It is like Pairs otherwise; A is a position
// in a, B one in b.
func (t *Tables) PairsBetween(ctx context.Context, table int, a, b []uint64) iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) {
		first, err := t.set(table, a)
		if err != nil {
			yield(Pair{}, err)
			return
		}
		second, err := t.set(table, b)
		if err != nil {
			yield(Pair{}, err)
			return
		}
		t.pairs(ctx, table, first, second, yield)
	}
}

// pairs yields the pairs within a set, or between two; of many fingerprints as package join finds
// them.
func (t *Tables) pairs(ctx context.Context, table int, set, against *index.Set, yield func(Pair, error) bool) {
	second := set
	if against != nil {
		second = against
	}
	if max(set.Len(), second.Len()) > compared {
		for p, err := range (&join.Join{Set: set, Against: against, K: t.k}).Pairs(ctx) {
			if err != nil {
				yield(Pair{}, fmt.Errorf("blocks: %w", err))
				return
			}
			a, b := int(p.A), int(p.B)
			if t.isFirst(table, set.At(a), second.At(b)) && !yield(Pair{a, b, p.Distance}, nil) {
				return
			}
		}
		return
	}
	w := set.Stride()
	var near []hamming.Match
	for a := range set.Len() {
		from := 0
		if against == nil {
			from = a + 1
		}
		near = hamming.AppendWithin(near[:0], second.Words[from*w:], set.At(a), t.k)
		for _, m := range near {
			b := from + m.Index
			if t.isFirst(table, set.At(a), second.At(b)) && !yield(Pair{a, b, m.Distance}, nil) {
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
