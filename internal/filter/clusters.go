package filter

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"

	"simhashkit/fphash"
	"simhashkit/internal/lines"
)

// Member is a record in a cluster.
type Member struct {
	ID        string
	Cluster   int  // from 1, in the order of the first members
	Canonical bool // the first member of its cluster, which is kept
}

// ReadClusters returns the members of the clusters of the pairs in r, in the format of Search. A
// line has two ids and the distance, which must be a number of bits. Fields after the distance are
// ignored. The members are sorted by Less: ids that are numbers by value, then the others by their
// bytes. If the ids number the records, package dedup gives the clusters the same numbers.
// ReadClusters needs about 150 bytes for each id in a pair.
func ReadClusters(ctx context.Context, r io.Reader, name string) ([]Member, error) {
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
		x, y := root(number(a)), root(number(b))
		parents[max(x, y)] = min(x, y)
	}
	slices.SortFunc(members, func(a, b Member) int {
		if Less([]byte(a.ID), []byte(b.ID)) {
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
