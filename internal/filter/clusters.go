package filter

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"

	"simhashkit/fphash"
	"simhashkit/internal/lines"
)

// Clusters holds the clusters of a set of pairs of ids, as package dedup groups fingerprints. It
// needs about 100 bytes for each id in a pair.
type Clusters struct {
	numbers map[string]uint32 // by id: its number
	ids     []string
	parents []uint32 // trees of numbers; all members of a cluster have the same root
}

// ReadClusters returns the clusters of the pairs in r, in the format of Search. A line has two ids
// and the distance, which must be a number of bits. Fields after the distance are ignored.
func ReadClusters(ctx context.Context, r io.Reader, name string) (*Clusters, error) {
	c := &Clusters{numbers: map[string]uint32{}}
	for line, err := range lines.All(ctx, r, name, mostLine, true) {
		if err != nil {
			return nil, err
		}
		a, rest, _ := bytes.Cut(bytes.TrimSuffix(line.Text, []byte("\r")), []byte("\t"))
		b, rest, _ := bytes.Cut(rest, []byte("\t"))
		distance, _, _ := bytes.Cut(rest, []byte("\t"))
		if n, err := strconv.ParseUint(string(distance), 10, 16); err != nil || n > fphash.MaxBits {
			return nil, fmt.Errorf("%s:%d: expected two ids and a distance with tabs between them, as written by fphash pairs, got %.80q", name, line.Number, line.Text)
		}
		x, y := c.root(c.number(a)), c.root(c.number(b))
		c.parents[max(x, y)] = min(x, y)
	}
	return c, nil
}

// number returns the number of an id. A new id gets the next number.
func (c *Clusters) number(id []byte) uint32 {
	if i, ok := c.numbers[string(id)]; ok {
		return i
	}
	i, text := uint32(len(c.ids)), string(id)
	c.numbers[text] = i
	c.ids, c.parents = append(c.ids, text), append(c.parents, i)
	return i
}

func (c *Clusters) root(i uint32) uint32 {
	for c.parents[i] != i {
		c.parents[i] = c.parents[c.parents[i]]
		i = c.parents[i]
	}
	return i
}

// Member is a record in a cluster.
type Member struct {
	ID        string
	Cluster   int  // from 1, in the order of the first members
	Canonical bool // the first member of its cluster, which is kept
}

// Members yields the records in clusters, sorted by Less: ids that are numbers by value,
// then the others by their bytes. If the ids number the records, package dedup gives the clusters
// the same numbers.
func (c *Clusters) Members() iter.Seq[Member] {
	return func(yield func(Member) bool) {
		order := slices.Clone(c.ids)
		slices.SortFunc(order, func(a, b string) int {
			switch {
			case Less([]byte(a), []byte(b)):
				return -1
			case a == b:
				return 0
			}
			return 1
		})
		clusters, given := make([]int, len(order)), 0 // by root
		for _, id := range order {
			root := c.root(c.numbers[id])
			m := Member{ID: id, Canonical: clusters[root] == 0}
			if m.Canonical {
				given++
				clusters[root] = given
			}
			if m.Cluster = clusters[root]; !yield(m) {
				return
			}
		}
	}
}
