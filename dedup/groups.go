package dedup

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"slices"

	"simhashkit/fphash/index"
)

// Groups are groups of near-duplicates. The canonical member of a group is the one that is kept.
type Groups struct {
	choices
	set     *index.Set
	starts  []int    // by group: its first index in members; the last element is len(members)
	members []uint32 // positions
}

// choices say which record is kept in place of each one, by position.
type choices struct {
	canonical  []uint32
	similarity []float32    // to the canonical record; nil if nothing was verified
	differs    []Difference // from the canonical record; nil if nothing was verified
}

// ownCanonical returns a list in which each position is its own canonical position.
func ownCanonical(n int) []uint32 {
	list := make([]uint32, n)
	for i := range list {
		list[i] = uint32(i)
	}
	return list
}

// newGroups returns the groups in the order of their canonical members.
func newGroups(set *index.Set, kept choices) *Groups {
	g := &Groups{choices: kept, set: set, starts: []int{0}}
	sizes := make([]uint32, len(kept.canonical))
	for _, c := range kept.canonical {
		sizes[c]++
	}
	next := make([]int, len(sizes)) // by canonical member: where to put its next duplicate
	for i, size := range sizes {
		if size > 1 {
			next[i] = len(g.members) + 1
			g.members = append(g.members, uint32(i))
			g.members = slices.Grow(g.members, int(size-1))[:len(g.members)+int(size-1)]
			g.starts = append(g.starts, len(g.members))
		}
	}
	for i, c := range kept.canonical {
		if c != uint32(i) {
			g.members[next[c]] = uint32(i)
			next[c]++
		}
	}
	return g
}

// Len returns the number of groups. Each has at least two members.
func (g *Groups) Len() int { return len(g.starts) - 1 }

// Members returns the positions of the members of a group, the canonical one first.
func (g *Groups) Members(i int) []uint32 { return g.members[g.starts[i]:g.starts[i+1]] }

// InGroups returns the number of records in groups.
func (g *Groups) InGroups() int { return len(g.members) }

// distance returns the distance of a record to its canonical record.
func (g *Groups) distance(position uint32) int {
	return g.set.Distance(int(position), g.set, int(g.canonical[position]))
}

// radius returns the largest distance of a member of a group to the canonical member.
func (g *Groups) radius(i int) int {
	radius := 0
	for _, m := range g.Members(i) {
		radius = max(radius, g.distance(m))
	}
	return radius
}

// leastSimilarity returns the least similarity of a member of a group to the canonical member; 0 if
// none is known.
func (g *Groups) leastSimilarity(i int) float32 {
	least := float32(0)
	for _, m := range g.Members(i)[1:] {
		if of := g.similarity[m]; of > 0 && (least == 0 || of < least) {
			least = of
		}
	}
	return least
}

// chains returns the number of groups with a member more than 2k bits from the canonical one. No
// record can be within k bits of both.
func (g *Groups) chains(k int) int {
	n := 0
	for i := range g.Len() {
		if g.radius(i) > 2*k {
			n++
		}
	}
	return n
}

// largest returns the numbers of the n largest groups, the largest first.
func (g *Groups) largest(n int) []int {
	list := make([]int, g.Len())
	for i := range list {
		list[i] = i
	}
	slices.SortFunc(list, func(a, b int) int { return cmp.Or(len(g.Members(b))-len(g.Members(a)), a-b) })
	return list[:min(n, len(list))]
}

// Preference selects the record to keep in a group: the first record with the largest value.
type Preference struct {
	Name string // for messages, such as "the longest"

	// Values reads the values of new records, numbered from 0, as numbers that big.Rat can parse.
	// An empty value means that the record has none; such records come last.
	Values Reread[[]byte]
}

// order returns a comparison of positions that sorts the members of a group by preference, old
// records first; nil means ascending positions. Records with the same root form a group.
func (r *Result) order(ctx context.Context, roots []uint32) (func(a, b uint32) int, error) {
	if r.Prefer == nil {
		return nil, nil
	}
	member := make([]bool, len(roots))
	for i, root := range roots {
		if root != uint32(i) {
			member[i], member[root] = true, true
		}
	}
	var records []uint64
	var positions []int
	old := r.oldPositions()
	for i := old; i < len(member); i++ {
		if member[i] {
			records = append(records, r.Records.Set.ID(i)-uint64(r.Old))
			positions = append(positions, i)
		}
	}
	of := make([]*big.Rat, len(roots))
	read, none := 0, true
	err := r.Prefer.Values(ctx, records, func(record uint64, text []byte) error {
		if len(text) > 0 {
			value, ok := new(big.Rat).SetString(string(text))
			if !ok {
				return fmt.Errorf("dedup: the value %q of record %d: expected a number", text, record)
			}
			of[positions[read]], none = value, false
		}
		read++
		return nil
	})
	if err == nil && read != len(records) {
		err = fmt.Errorf("dedup: %d values of %d records", read, len(records))
	}
	if err == nil && none && len(records) > 0 {
		err = fmt.Errorf("to keep %s: expected at least one document in a group with a value, got none", r.Prefer.Name)
	}
	if err != nil {
		return nil, err
	}
	return func(a, b uint32) int {
		if int(min(a, b)) < old {
			return cmp.Compare(a, b)
		}
		return cmp.Or(compareValues(of[b], of[a]), cmp.Compare(a, b))
	}, nil
}

// compareValues compares numbers; nil is less than any number.
func compareValues(a, b *big.Rat) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return -1
	case b == nil:
		return 1
	}
	return a.Cmp(b)
}
