// Package clusters groups pairs that come from elsewhere, such as fphash pairs or Spark, into
// clusters, as package dedup groups fingerprints.
package clusters

import (
	"context"
	"fmt"
	"io"
	"slices"

	"simhashkit/fphash/index/blocks"
	"simhashkit/fphash/index/blocks/filter"
)

// Clusters is which records are near-duplicates of each other, by their ids. Memory is some 100
// bytes for each record that is in a pair.
type Clusters struct {
	members map[string]uint32 // numbers of ids
	ids     []string
	parents []uint32 // trees: what is in one cluster has one root
	numbers []uint32 // of the cluster, from 1, by its root; 0 until the first of its members has come
	come    []bool   // by number of an id: Next has been asked for it
	given   int      // numbers
}

// Read returns the clusters of the pairs in r, which has lines of fphash pairs.
func Read(ctx context.Context, r io.Reader, name string) (*Clusters, error) {
	var c Clusters
	for pair, err := range filter.ReadPairs(ctx, r, name) {
		if err != nil {
			return nil, err
		}
		c.Add(pair[0], pair[1])
	}
	return &c, nil
}

// Add adds a pair.
func (c *Clusters) Add(a, b []byte) {
	x, y := c.root(c.member(a)), c.root(c.member(b))
	c.parents[max(x, y)] = min(x, y)
}

// member returns the number of an id, which is a new one if need be.
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
	return i
}

func (c *Clusters) root(i uint32) uint32 {
	for c.parents[i] != i {
		c.parents[i] = c.parents[c.parents[i]]
		i = c.parents[i]
	}
	return i
}

// Next returns the number of the cluster that a record is in, 0 if it is in none, and whether it is
// the one to keep. It is asked for each record once, in their order: clusters are numbered from 1
// by their first members, which are the ones to keep. That is the order in which dedup has them. A
// record of a cluster that is asked for twice is an error.
func (c *Clusters) Next(id []byte) (cluster int, canonical bool, err error) {
	i, ok := c.members[string(id)]
	if !ok {
		return 0, true, nil
	}
	if c.come[i] {
		return 0, false, fmt.Errorf("clusters: id %.80q twice, expected each once: pairs do not tell which record they mean", id)
	}
	c.come[i] = true
	root := c.root(i)
	if canonical = c.numbers[root] == 0; canonical {
		c.given++
		c.numbers[root] = uint32(c.given)
	}
	return int(c.numbers[root]), canonical, nil
}

// End returns an error if a record of a pair was not asked for.
func (c *Clusters) End() error {
	for i, come := range c.come {
		if !come {
			return fmt.Errorf("clusters: id %.80q is in a pair, expected it among the records", c.ids[i])
		}
	}
	return nil
}

// Sorted returns the ids of all members in the order of blocks.Less: that of the records if their
// ids are numbers that ascend.
func (c *Clusters) Sorted() []string {
	ids := slices.Clone(c.ids)
	slices.SortFunc(ids, func(a, b string) int {
		switch {
		case blocks.Less([]byte(a), []byte(b)):
			return -1
		case a == b:
			return 0
		}
		return 1
	})
	return ids
}
