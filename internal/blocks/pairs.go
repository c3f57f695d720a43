package blocks

import (
	"context"
	"fmt"
	"iter"

	"simhashkit/asm/hamming"
	"simhashkit/fphash/index"
	"simhashkit/fphash/index/join"
)

// mostCompared is the largest number of fingerprints of a block of which all pairs are compared. In
// larger blocks, package join groups the fingerprints by their other bits, which takes longer to
// start.
const mostCompared = 1024

// Pairs returns the pairs of positions in a block that this table reports, each once, in an order
// that depends only on the fingerprints. words has the concatenated fingerprints, (Bits+63)/64
// words each, which must all have the same key in this table. If words is invalid or the context is
// done, the last result is an error with a meaningless pair.
//
// Pairs compares all pairs of a block of up to about a thousand fingerprints. For a larger block,
// it uses package join, which takes about 12 bytes of memory per fingerprint. n copies of a
// fingerprint have n(n-1)/2 pairs, but only n-1 links: see Links.
func (t *Tables) Pairs(ctx context.Context, table int, words []uint64) iter.Seq2[join.Pair, error] {
	return func(yield func(join.Pair, error) bool) {
		set, err := t.set(table, words)
		if err != nil {
			yield(join.Pair{}, err)
			return
		}
		report := func(p join.Pair) bool { return !t.isFirst(table, set.At(int(p.A)), set.At(int(p.B))) || yield(p, nil) }
		if set.Len() <= mostCompared {
			compareAll(set, t.k, report)
			return
		}
		for p, err := range (&join.Join{Set: set, K: t.k}).Pairs(ctx) {
			if err != nil {
				yield(join.Pair{}, fmt.Errorf("blocks: %w", err))
				return
			}
			if !report(p) {
				return
			}
		}
	}
}

// compareAll calls report for each pair within k bits, until report returns false.
func compareAll(set *index.Set, k int, report func(join.Pair) bool) {
	w := set.Stride()
	var near []hamming.Match
	for a := range set.Len() {
		near = hamming.AppendWithin(near[:0], set.Words[(a+1)*w:], set.At(a), k)
		for _, m := range near {
			if !report(join.Pair{A: uint64(a), B: uint64(a + 1 + m.Index), Distance: m.Distance}) {
				return
			}
		}
	}
}

// set returns the fingerprints of a block as a set. It returns an error if they or the table are
// invalid.
func (t *Tables) set(table int, words []uint64) (*index.Set, error) {
	if table < 0 || table >= len(t.keys) {
		return nil, fmt.Errorf("blocks: table %d, expected 0 to %d", table, len(t.keys)-1)
	}
	set := &index.Set{Bits: t.bits, Words: words}
	if err := set.Check(); err != nil {
		return nil, fmt.Errorf("blocks: %w", err)
	}
	return set, nil
}

// Links returns pairs of positions that connect the same fingerprints as all pairs within k bits.
// Chains of near pairs divide the fingerprints into groups. Links returns a pair of each
// fingerprint with the first one of its group. Therefore there are fewer links than fingerprints,
// while n copies have n(n-1)/2 pairs. The distance of a link may be more than k. If the set or k is
// invalid or the context is done, the last result is an error with a meaningless pair.
func Links(ctx context.Context, set *index.Set, k int) iter.Seq2[join.Pair, error] {
	return func(yield func(join.Pair, error) bool) {
		firsts, err := firsts(ctx, set, k)
		if err != nil {
			yield(join.Pair{}, err)
			return
		}
		for i, f := range firsts {
			if f != i && !yield(join.Pair{A: uint64(f), B: uint64(i), Distance: set.Distance(f, set, i)}, nil) {
				return
			}
		}
	}
}

// firsts returns the first member of the group of each fingerprint.
func firsts(ctx context.Context, set *index.Set, k int) (firsts []int, err error) {
	if err := set.Check(); err != nil {
		return nil, fmt.Errorf("blocks: %w", err)
	}
	if err := check(set.Bits, k); err != nil {
		return nil, err
	}
	firsts = make([]int, set.Len())
	for i := range firsts {
		firsts[i] = i
	}
	if set.Len() > mostCompared {
		groups, err := (&join.Join{Set: set, K: k}).Groups(ctx)
		if err != nil {
			return nil, fmt.Errorf("blocks: %w", err)
		}
		for _, g := range groups.All() {
			for _, m := range g {
				firsts[m] = int(g[0])
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
	compareAll(set, k, func(p join.Pair) bool {
		a, b := find(int(p.A)), find(int(p.B))
		firsts[max(a, b)] = min(a, b)
		return true
	})
	for i := range firsts {
		firsts[i] = find(i)
	}
	return firsts, nil
}
