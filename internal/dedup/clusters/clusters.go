// Package clusters groups pairs of records, such as the output of fphash pairs or Spark, into
// clusters, in the way that package dedup groups fingerprints.
package clusters

import (
	"context"
	"io"
	"slices"

	"simhashkit/internal/filter"
)

// Member is a record in a cluster.
type Member struct {
	ID        string
	Cluster   int  // from 1, in the order of the first members
	Canonical bool // the first member of its cluster, which is kept
}

// Read returns the members of the clusters of the pairs in r, in the output format of fphash pairs.
// They are sorted by filter.Less: ids that are numbers by value, then the others by their bytes. If
// the ids number the records, package dedup gives the clusters the same numbers. Read needs about
// 150 bytes for each id in a pair.
func Read(ctx context.Context, r io.Reader, name string) ([]Member, error) {
	numbers := map[string]int{} // by id: its index in parents
	var members []Member
	var parents []int // trees; all members of a cluster have the same root
	number := func(id []byte) int {
		if i, ok := numbers[string(id)]; ok {
			return i
		}
		i, text := len(members), string(id)
		numbers[text] = i
		members, parents = append(members, Member{ID: text}), append(parents, i)
		return i
	}
	root := func(i int) int {
		for parents[i] != i {
			parents[i] = parents[parents[i]]
			i = parents[i]
		}
		return i
	}
	for pair, err := range filter.ReadPairs(ctx, r, name) {
		if err != nil {
			return nil, err
		}
		x, y := root(number(pair[0])), root(number(pair[1]))
		parents[max(x, y)] = min(x, y)
	}
	slices.SortFunc(members, func(a, b Member) int {
		if filter.Less([]byte(a.ID), []byte(b.ID)) {
			return -1
		}
		return 1 // ids differ
	})
	clusters, given := make([]int, len(members)), 0 // by root
	for i := range members {
		m := &members[i]
		of := &clusters[root(numbers[m.ID])]
		if m.Canonical = *of == 0; m.Canonical {
			given++
			*of = given
		}
		m.Cluster = *of
	}
	return members, nil
}
