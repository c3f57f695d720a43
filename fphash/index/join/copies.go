package join

import (
	"context"
	"math/bits"
	"slices"

	"simhashkit/fphash/index"
	"simhashkit/internal/hugepages"
)

// distinct is the fingerprints of a set without copies. Thousands of copies share every key, and
// would be compared with each other in each bucket.
type distinct struct {
	set     *index.Set
	starts  []uint32 // by position in set: of its members
	members []uint32 // positions in the whole set of all that are equal, ascending
}

// newDistinct returns the distinct fingerprints of a set.
func newDistinct(ctx context.Context, set *index.Set) (*distinct, error) {
	n := set.Len()
	class, firsts := classes(ctx, set)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	d := &distinct{set: set}
	if len(firsts) < n {
		d.set = &index.Set{Bits: set.Bits, Words: make([]uint64, 0, len(firsts)*set.Stride())}
		for _, first := range firsts {
			d.set.Words = append(d.set.Words, set.At(int(first))...)
		}
	}
	d.starts = make([]uint32, len(firsts)+1)
	for _, c := range class {
		d.starts[c+1]++
	}
	for i := range firsts {
		d.starts[i+1] += d.starts[i]
	}
	d.members = make([]uint32, n)
	at := slices.Clone(d.starts)
	for i, c := range class {
		d.members[at[c]] = uint32(i)
		at[c]++
	}
	return d, nil
}

// classes numbers the distinct fingerprints of a set in order of their first positions, and returns
// the number of each position's. It stops when the context is done.
func classes(ctx context.Context, set *index.Set) (class, firsts []uint32) {
	n := set.Len()
	class = make([]uint32, n)
	shift := 64 - bits.Len(uint(2*n))
	slots := hugepages.Make[uint32](1 << (64 - shift)) // one above a number, at the hash of its words or behind
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

// of returns the ascending positions of a distinct fingerprint and its copies.
func (d *distinct) of(position uint32) []uint32 {
	return d.members[d.starts[position]:d.starts[position+1]]
}

// distinctJoin is a join of distinct fingerprints.
type distinctJoin struct {
	Join
	first, second *distinct // second is nil where there is one set
}

func (j *Join) distinct(ctx context.Context) (d *distinctJoin, err error) {
	d = &distinctJoin{Join: *j}
	if d.first, err = newDistinct(ctx, j.Set); err != nil {
		return nil, err
	}
	d.Set = d.first.set
	if j.Against != nil {
		if d.second, err = newDistinct(ctx, j.Against); err != nil {
			return nil, err
		}
		d.Against = d.second.set
	}
	return d, nil
}

// nearWithCopies does what near does, through the distinct fingerprints.
func (j *Join) nearWithCopies(ctx context.Context, p *Plan, yield func(near) bool) error {
	d, err := j.distinct(ctx)
	if err != nil {
		return err
	}
	n, more := 0, true
	each := func(pair near) bool {
		if n++; n%1024 == 0 && ctx.Err() != nil {
			return false
		}
		more = yield(pair)
		return more
	}
	err = d.near(ctx, p, func(pair near) bool { return d.expand(pair, each) })
	if err == nil && more && ctx.Err() == nil {
		d.copies(each)
	}
	if err == nil && more {
		err = context.Cause(ctx)
	}
	return err
}

// expand calls yield for each pair of positions in the whole sets that a pair of distinct
// fingerprints stands for.
func (d *distinctJoin) expand(n near, yield func(near) bool) bool {
	second, b, ahead := d.first, uint32(n.b), 0
	if d.second != nil {
		second, b, ahead = d.second, b-uint32(d.Set.Len()), len(d.first.members)
	}
	for _, x := range d.first.of(uint32(n.a)) {
		for _, y := range second.of(b) {
			x, y := uint64(x), uint64(y)+uint64(ahead)
			if !yield(near{min(x, y), max(x, y), n.distance}) {
				return false
			}
		}
	}
	return true
}

// copies calls yield for each pair of equal fingerprints within the set.
func (d *distinctJoin) copies(yield func(near) bool) bool {
	if d.second != nil {
		return true
	}
	for i := range d.Set.Len() {
		same := d.first.of(uint32(i))
		for a, x := range same {
			for _, y := range same[a+1:] {
				if !yield(near{uint64(x), uint64(y), 0}) {
					return false
				}
			}
		}
	}
	return true
}

// whole converts groups of distinct fingerprints into groups of all.
func (d *distinct) whole(trees forest) forest {
	all := newForest(len(d.members))
	for i := range trees {
		first := d.of(trees.find(uint32(i)))[0]
		for _, m := range d.of(uint32(i)) {
			all.union(first, m)
		}
	}
	return all
}
