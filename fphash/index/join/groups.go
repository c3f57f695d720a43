package join

import (
	"context"
	"iter"
	"math/bits"
	"slices"
	"sync/atomic"

	"simhashkit/asm/hamming"
	"simhashkit/fphash/index"
	"simhashkit/internal/hugepages"
)

// Groups holds the groups of near-duplicates of a set: fingerprints that are connected by chains of
// pairs within k.
type Groups struct {
	set     *index.Set
	k       int
	starts  []int    // by group: its start in members; the last element is len(members)
	members []uint32 // positions
}

// Groups returns the groups that the pairs of the set form. Fingerprints without near fingerprints
// are in no group. Keeping one fingerprint of each group is the deduplication called components.
//
// With Recall, groups may also join pairs within K that Pairs does not find.
//
// Groups of many near fingerprints take little more time than as many unrelated ones, because most
// pairs within a known group are skipped.
func (j *Join) Groups(ctx context.Context) (*Groups, error) {
	if err := j.check(); err != nil {
		return nil, err
	}
	plan := j.plan()
	return j.groups(ctx, &plan)
}

// groups finds the groups according to the plan.
func (j *Join) groups(ctx context.Context, p *Plan) (*Groups, error) {
	joined := j
	var d *distinct
	if p.joinsDistinct() {
		var err error
		if d, err = newDistinct(ctx, j.Set); err != nil {
			return nil, err
		}
		copied := *j
		joined, copied.Set = &copied, d.set
	}
	trees := newForest(joined.Set.Len())
	crew := newCrew(ctx, j.workers(), p.parts(joined), j.Progress)
	defer crew.end()
	if err := crew.joinGroups(p.stages(joined, trees.find), trees); err != nil {
		return nil, err
	}
	if d != nil {
		trees = d.whole(trees)
	}
	return collectGroups(j.Set, j.K, trees), nil
}

// collectGroups returns the groups of the forest, in the order of their first members.
func collectGroups(set *index.Set, k int, trees forest) *Groups {
	sizes := make([]uint32, len(trees))
	for i := range trees {
		sizes[trees.find(uint32(i))]++
	}
	g := &Groups{set: set, k: k, starts: []int{0}}
	at := make([]int, len(trees)) // by root: where its next member goes
	n := 0
	for i, size := range sizes {
		if size > 1 {
			at[i] = n
			n += int(size)
			g.starts = append(g.starts, n)
		}
	}
	g.members = make([]uint32, n)
	for i := range trees {
		if root := trees.find(uint32(i)); sizes[root] > 1 {
			g.members[at[root]] = uint32(i)
			at[root]++
		}
	}
	return g
}

// Len returns the number of groups.
func (g *Groups) Len() int { return len(g.starts) - 1 }

// At returns the positions in the set of the members of a group, ascending; there are at least two.
// Groups are in the order of their first members.
func (g *Groups) At(i int) []uint32 { return g.members[g.starts[i]:g.starts[i+1]] }

// All yields all groups.
func (g *Groups) All() iter.Seq2[int, []uint32] {
	return func(yield func(int, []uint32) bool) {
		for i := range g.Len() {
			if !yield(i, g.At(i)) {
				return
			}
		}
	}
}

// First returns the deduplication called first: in the order of the set, it keeps each fingerprint
// that is not within k of an already kept one. For each position it returns the position of the
// first kept fingerprint within k, which is the same position if the fingerprint itself is kept. If
// order is not nil, it compares positions, and the members of a group are processed in that order.
// The first old positions of the set are always kept, and are processed first in any order.
//
// In a chain a ~ b ~ c where a and c are not near each other, First keeps a and c, while components
// keep only a. Cost: each member of a group is compared with the kept members of its group, up to
// the first that is near.
func (g *Groups) First(ctx context.Context, order func(a, b uint32) int, old int) ([]uint32, error) {
	first := make([]uint32, g.set.Len())
	for i := range first {
		first[i] = uint32(i)
	}
	var kept []uint32
	var words []uint64 // of the kept members
	var near []hamming.Match
	stride := g.set.Stride()
	for _, members := range g.All() {
		if order != nil {
			members = slices.SortedFunc(slices.Values(members), order)
		}
		kept, words = kept[:0], words[:0]
		for i, m := range members {
			if i%64 == 0 && ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			own := g.set.At(int(m))
			near = near[:0]
			for from := 0; from < len(kept) && len(near) == 0 && m >= uint32(old); from += columnsOfRow {
				near = hamming.AppendWithin(near, words[from*stride:min(from+columnsOfRow, len(kept))*stride], own, g.k)
				if len(near) > 0 {
					first[m] = kept[from+near[0].Index]
				}
			}
			if len(near) == 0 {
				kept, words = append(kept, m), append(words, own...)
			}
		}
	}
	return first, nil
}

// forest records which fingerprints are in the same group, as trees whose roots are the first
// members of their groups. It is safe for concurrent use.
type forest []uint32

func newForest(n int) forest {
	f := make(forest, n)
	for i := range f {
		f[i] = uint32(i)
	}
	return f
}

// find returns the first member of the group of i.
func (f forest) find(i uint32) uint32 {
	for {
		parent := atomic.LoadUint32(&f[i])
		if parent == i {
			return i
		}
		grandparent := atomic.LoadUint32(&f[parent])
		if grandparent != parent {
			atomic.CompareAndSwapUint32(&f[i], parent, grandparent) // shortens the path
		}
		i = grandparent
	}
}

// union merges the groups of a and b.
func (f forest) union(a, b uint32) {
	for {
		a, b = f.find(a), f.find(b)
		if a == b {
			return
		}
		if a > b {
			a, b = b, a
		}
		if atomic.CompareAndSwapUint32(&f[b], b, a) {
			return
		}
	}
}

// distinct holds the fingerprints of a set without copies. Thousands of copies would share every
// key, and would be compared with each other in each bucket.
type distinct struct {
	set    *index.Set
	class  []uint32 // by position in the whole set: position in set
	firsts []uint32 // by position in set: first position in the whole set
}

func newDistinct(ctx context.Context, set *index.Set) (*distinct, error) {
	d := &distinct{set: set}
	if d.class, d.firsts = classes(ctx, set); ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if len(d.firsts) < set.Len() {
		d.set = &index.Set{Bits: set.Bits, Words: make([]uint64, 0, len(d.firsts)*set.Stride())}
		for _, first := range d.firsts {
			d.set.Words = append(d.set.Words, set.At(int(first))...)
		}
	}
	return d, nil
}

// classes numbers the distinct fingerprints of a set in order of their first positions. It returns
// the number of each position, and the first position of each number. It stops when the context is
// done.
func classes(ctx context.Context, set *index.Set) (class, firsts []uint32) {
	n := set.Len()
	class = make([]uint32, n)
	shift := 64 - bits.Len(uint(2*n))
	slots := hugepages.Make[uint32](1 << (64 - shift)) // number + 1, at the hash of the words or later
	for i := range n {
		if i%(1<<16) == 0 && ctx.Err() != nil {
			break
		}
		words := set.At(i)
		slot := hashOf(words) >> shift
		for ; ; slot = (slot + 1) & uint64(len(slots)-1) {
			if slots[slot] == 0 {
				class[i] = uint32(len(firsts))
				firsts = append(firsts, uint32(i))
				slots[slot] = uint32(len(firsts))
				break
			}
			if c := slots[slot] - 1; slices.Equal(words, set.At(int(firsts[c]))) {
				class[i] = c
				break
			}
		}
	}
	return class, firsts
}

// hashOf returns a hash whose high bits depend on all words.
func hashOf(words []uint64) (h uint64) {
	for _, x := range words {
		h = (h ^ x) * 0x9E3779B97F4A7C15
		h ^= h >> 32
	}
	return h * 0x9E3779B97F4A7C15
}

// whole converts groups of distinct fingerprints to groups of all fingerprints.
func (d *distinct) whole(trees forest) forest {
	all := newForest(len(d.class))
	for i, c := range d.class {
		all.union(d.firsts[trees.find(c)], uint32(i))
	}
	return all
}
