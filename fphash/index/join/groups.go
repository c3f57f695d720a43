package join

import (
	"context"
	"errors"
	"iter"

	"simhashkit/fphash/index"
)

// Groups is which fingerprints of a set are near-duplicates of each other.
type Groups struct {
	set     *index.Set
	k       int
	starts  []int    // of each group in members
	members []uint32 // positions
}

// Group is fingerprints that are joined by chains of pairs within k.
type Group struct {
	Members []uint32 // positions in the set, ascending; at least two

	// Radius is the largest distance of a member from the first one. Up to k, the first one can
	// stand for all of them. Above 2k the group is a chain, and strangers may be among them:
	// no fingerprint at all is within k of every member.
	Radius int
}

// Groups returns the groups that the pairs of the set form. Fingerprints without a near one are in
// none. It is the deduplication called components: one fingerprint of each group is to be kept.
//
// With a recall, groups may join fingerprints by pairs within K that Pairs does not find.
//
// Where fingerprints are brought together by blocks (see Plan), groups of many copies cost little
// more than as many strangers: most pairs that would tell nothing new are not looked for.
func (j *Join) Groups(ctx context.Context) (*Groups, error) {
	if j.Against != nil {
		return nil, errors.New("join: groups between two sets, expected one set")
	}
	if err := j.check(); err != nil {
		return nil, err
	}
	plan := j.plan()
	return j.groups(ctx, &plan)
}

// groups finds the groups as planned.
func (j *Join) groups(ctx context.Context, p *Plan) (*Groups, error) {
	joined := j
	var d *distinctJoin
	if p.joinsDistinct() {
		var err error
		if d, err = j.distinct(ctx); err != nil {
			return nil, err
		}
		joined = &d.Join
	}
	trees := newForest(joined.Set.Len())
	crew := newCrew(ctx, j.workers(), p.parts(), j.Progress)
	defer crew.end()
	if err := crew.joinGroups(p.stages(joined, trees.find), trees); err != nil {
		return nil, err
	}
	if d != nil {
		trees = d.first.whole(trees)
	}
	return collectGroups(j.Set, j.K, trees), nil
}

// collectGroups lists the groups by their first members.
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

// Members returns how many fingerprints are in groups.
func (g *Groups) Members() int { return len(g.members) }

// At returns a group; they are ordered by their first members. Cost: a distance for each member.
func (g *Groups) At(i int) Group {
	group := Group{Members: g.members[g.starts[i]:g.starts[i+1]]}
	for _, m := range group.Members[1:] {
		group.Radius = max(group.Radius, g.set.Distance(int(group.Members[0]), g.set, int(m)))
	}
	return group
}

// All returns all groups.
func (g *Groups) All() iter.Seq2[int, Group] {
	return func(yield func(int, Group) bool) {
		for i := range g.Len() {
			if !yield(i, g.At(i)) {
				return
			}
		}
	}
}
