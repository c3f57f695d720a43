package join

import (
	"context"
	"fmt"
	"iter"
	"math/bits"

	"simhashkit/fphash/index"
)

// Groups returns the groups that the pairs form, as Join.Groups does, and the set of the
// fingerprints that are in one, in the order of the source and with its ids: the members of a group
// are positions in that set. With a recall, groups may join fingerprints by pairs within K that
// Pairs does not find. It ends with an error as Pairs does.
//
// Beside Memory it takes some 4 bytes for each fingerprint of the source, and 20 more and the words
// for each that is in a group.
func (x *External) Groups(ctx context.Context) (*Groups, *index.Set, error) {
	if err := x.check(); err != nil {
		return nil, nil, err
	}
	trees, err := x.joinGroups(ctx)
	if err != nil {
		return nil, nil, err
	}
	set, err := x.members(ctx, trees)
	if err != nil {
		return nil, nil, err
	}
	return collectGroups(set, x.K, trees[:set.Len()]), set, nil
}

// joinGroups returns the trees of the groups, by positions in the source.
func (x *External) joinGroups(ctx context.Context) (forest, error) {
	numbered := *x
	numbered.Source = x.numbered
	d, err := newDisk(ctx, &numbered)
	if err != nil {
		return nil, err
	}
	defer d.close()
	if d.n >= 1<<32 {
		return nil, fmt.Errorf("join: groups of %d fingerprints, expected less than 2^32", d.n)
	}
	trees := newForest(int(d.n))
	crew := newCrew(ctx, x.workers(), d.parts(), x.Progress)
	defer crew.end()
	return trees, crew.joinGroups(d.stages(), trees)
}

// numbered is the source with positions for ids.
func (x *External) numbered() iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		position := uint64(0)
		for r, err := range x.Source() {
			if !yield(Record{position, r.Words}, err) || err != nil {
				return
			}
			position++
		}
	}
}

// members returns the fingerprints of the source that are in groups. Their trees, by positions in
// the set, take the place of the first ones of all.
func (x *External) members(ctx context.Context, trees forest) (*index.Set, error) {
	member := make([]uint64, (len(trees)+63)/64) // a bit for each
	for i := range trees {
		if root := trees.find(uint32(i)); root != uint32(i) {
			trees[i] = root
			member[i/64] |= 1 << (i % 64)
			member[root/64] |= 1 << (root % 64)
		}
	}
	n := 0
	for _, word := range member {
		n += bits.OnesCount64(word)
	}
	set := &index.Set{Bits: x.Bits, IDs: make([]uint64, 0, n), Words: make([]uint64, 0, n*((x.Bits+63)/64))}
	position := 0
	err := x.records(ctx, func(r Record) error {
		if position == len(trees) {
			return errShort
		}
		if member[position/64]>>(position%64)&1 > 0 {
			set.IDs, set.Words = append(set.IDs, r.ID), append(set.Words, r.Words...)
		}
		position++
		return nil
	})
	if err != nil {
		return nil, err
	}
	if position < len(trees) {
		return nil, errShort
	}
	trees.renumber(member)
	return set, nil
}

// renumber leaves those trees whose bits are set, numbered in their order. Each is that of a root,
// or names its root.
func (f forest) renumber(member []uint64) {
	to := uint32(0)
	for i := range f {
		if member[i/64]>>(i%64)&1 == 0 {
			continue
		}
		// A root stands before its members, and has its new number when they come to it.
		root := f[i]
		if root == uint32(i) {
			root = to
		} else {
			root = f[root]
		}
		f[i] = root
		to++
	}
	to = 0
	for i := range f {
		if member[i/64]>>(i%64)&1 > 0 {
			f[to] = f[i]
			to++
		}
	}
}
