package bench

import (
	"fmt"
	"slices"
	"strconv"

	"simhashkit/asm/hamming"
	"simhashkit/internal/hugepages"
)

// splitScanTrial scans the same fingerprints as scanTrial, in the split layout.
func splitScanTrial(in *Inputs, c *collection) (*trial, error) {
	split, err := kept(in, "split "+strconv.Itoa(len(c.fingerprints)), func() (*hamming.Split, error) {
		n := len(c.fingerprints)
		s := &hamming.Split{First: hugepages.Make[uint16](n)[:0], Second: hugepages.Make[uint16](n)[:0], High: hugepages.Make[uint32](n)[:0]}
		s.Append(c.fingerprints...)
		return s, nil
	})
	if err != nil {
		return nil, err
	}
	return scanTrial(c, func(dst []hamming.Match, _, query []uint64, k int) []hamming.Match {
		return split.AppendWithin(dst, query[0], k)
	}), nil
}

// batchScanTrial looks for the neighbours of many queries in one pass. The collection's query is
// among them, the others are random: most find nothing, as in life. Every query counts as one
// reading of all fingerprints, so that the figure compares with that of single scans.
func batchScanTrial(in *Inputs, c *collection, queries int) (*trial, error) {
	list := randomWords(6, queries)
	list[queries/2] = c.query
	name := fmt.Sprintf("near %d queries among %d", queries, len(c.fingerprints))
	near, err := kept(in, name, func() ([]hamming.QueryMatch, error) { return nearQueries(c.fingerprints, list), nil })
	if err != nil {
		return nil, err
	}
	var found []hamming.QueryMatch
	return &trial{
		per: bytesOfOne * len(c.fingerprints) * queries,
		loop: func(times int) {
			for range times {
				found = hamming.AppendWithinBatch(found[:0], c.fingerprints, list, 1, scanDistance)
				sink += uint64(len(found))
			}
		},
		verify: func() error {
			found = hamming.AppendWithinBatch(found[:0], c.fingerprints, list, 1, scanDistance)
			if !slices.Equal(found, near) {
				return fmt.Errorf("wrong answer: near are %v, expected %v", found, near)
			}
			return nil
		},
	}, nil
}

// nearQueries is the plain loop over all pairs.
func nearQueries(fingerprints, queries []uint64) (near []hamming.QueryMatch) {
	for q := range queries {
		for i := range fingerprints {
			if d := hamming.Distance(fingerprints[i:i+1], queries[q:q+1]); d <= scanDistance {
				near = append(near, hamming.QueryMatch{Query: q, Match: hamming.Match{Index: i, Distance: d}})
			}
		}
	}
	return near
}
