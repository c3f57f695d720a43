// Package clusters groups pairs of records, such as the output of fphash pairs or Spark, into
// clusters, in the way that package dedup groups fingerprints.
package clusters

import (
	"context"
	"fmt"
	"io"
	"slices"

	"simhashkit/internal/filter"
)

// Clusters holds the clusters of a set of pairs of ids. It needs about 100 bytes for each id in a
// pair.
type Clusters struct {
	name    string            // of the file of pairs
	pairs   int               // number of pairs so far
	records int               // number of calls of Next
	members map[string]uint32 // by id: its number
	ids     []string
	parents []uint32 // trees of numbers; all members of a cluster have the same root
	numbers []uint32 // by root: number of the cluster, from 1; 0 before Next has seen a member
	lines   []int    // by number of an id: the line of its first pair
	come    []bool   // by number of an id: Next was called for it
	given   int      // number of clusters that Next has seen
}

// Read returns the clusters of the pairs in r, in the output format of fphash pairs.
func Read(ctx context.Context, r io.Reader, name string) (*Clusters, error) {
	c := Clusters{name: name}
	for pair, err := range filter.ReadPairs(ctx, r, name) {
		if err != nil {
			return nil, err
		}
		c.add(pair[0], pair[1])
	}
	return &c, nil
}

// add adds the pair of the next line.
func (c *Clusters) add(a, b []byte) {
	c.pairs++
	x, y := c.root(c.member(a)), c.root(c.member(b))
	c.parents[max(x, y)] = min(x, y)
}

// member returns the number of an id. A new id gets the next number.
func (c *Clusters) member(id []byte) uint32 {
	if i, ok := c.members[string(id)]; ok {
		return i
	}
	if c.members == nil {
		c.members = map[string]uint32{}
	}
	i, text := uint32(len(c.ids)), string(id)
	c.members[text] = i
	c.ids, c.parents, c.numbers, c.come = append(c.ids, text), append(c.parents, i), append(c.numbers, 0), append(c.come, false)
	c.lines = append(c.lines, c.pairs)
	return i
}

func (c *Clusters) root(i uint32) uint32 {
	for c.parents[i] != i {
		c.parents[i] = c.parents[c.parents[i]]
		i = c.parents[i]
	}
	return i
}

// Next returns the number of the record's cluster, or 0 if it has none, and whether to keep the
// record. Next must be called once for each record, in order; a second call for a member of a
// cluster is an error. Clusters are numbered from 1 in the order of their first members, which are
// the records to keep. Package dedup numbers them the same way.
func (c *Clusters) Next(id []byte) (cluster int, canonical bool, err error) {
	c.records++
	i, ok := c.members[string(id)]
	if !ok {
		return 0, true, nil
	}
	if c.come[i] {
		return 0, false, fmt.Errorf("record %d has the id %.80q of an earlier one; make ids unique, then search the pairs again", c.records, id)
	}
	c.come[i] = true
	root := c.root(i)
	if canonical = c.numbers[root] == 0; canonical {
		c.given++
		c.numbers[root] = uint32(c.given)
	}
	return int(c.numbers[root]), canonical, nil
}

// End returns an error if Next was not called for some id in a pair.
func (c *Clusters) End() error {
	for i, come := range c.come {
		if !come {
			return fmt.Errorf("no record has the id %.80q of %s:%d; expected the file that was searched for pairs", c.ids[i], c.name, c.lines[i])
		}
	}
	return nil
}

// Sorted returns the ids of all members, sorted by filter.Less. This is the order of the records if
// their ids are ascending numbers.
func (c *Clusters) Sorted() []string {
	ids := slices.Clone(c.ids)
	slices.SortFunc(ids, func(a, b string) int {
		switch {
		case filter.Less([]byte(a), []byte(b)):
			return -1
		case a == b:
			return 0
		}
		return 1
	})
	return ids
}
