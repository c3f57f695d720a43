package index

import (
	"fmt"

	"simhashkit/asm/hamming"
)

// split scans parts of the fingerprints that lie in arrays of their own, of which it reads the
// first and little more. It is for fingerprints of 64 bits and small distances.
type split struct {
	*scan // which answers batches: whole fingerprints stay in the cache for all queries
	parts hamming.Split
}

// splitMaxK is the largest distance for which parts of fingerprints are scanned faster than whole
// ones.
const splitMaxK = 8

func newSplit(set *Set) (*split, error) {
	if set.Bits != 64 {
		return nil, fmt.Errorf("index: split over fingerprints of %d bits, expected 64", set.Bits)
	}
	n := set.Len()
	s := &split{scan: newScan(set), parts: hamming.Split{First: make([]uint16, 0, n), Second: make([]uint16, 0, n), High: make([]uint32, 0, n)}}
	s.parts.Append(set.Words...)
	return s, nil
}

func (s *split) Name() string { return "split" }
func (s *split) Bytes() int64 { return 8 * int64(s.parts.Len()) }

func (s *split) AppendWithin(dst []Match, query Query, k int) ([]Match, error) {
	queries := [1]Query{query}
	if err := checkAll(s, queries[:], k); err != nil {
		return dst, err
	}
	r := results{one: dst}
	s.one(&r, 0, &queries[0], k)
	return r.one, nil
}

// one scans the parts where that is faster, and whole fingerprints else.
func (s *split) one(r *results, query int, q *Query, k int) {
	if k > splitMaxK {
		s.scan.one(r, query, q, k)
		return
	}
	room := founds.Get().(*found)
	for from := 0; from < s.parts.Len(); from += scanRoom {
		to := min(from+scanRoom, s.parts.Len())
		part := hamming.Split{First: s.parts.First[from:to], Second: s.parts.Second[from:to], High: s.parts.High[from:to]}
		room.list = part.AppendWithin(room.list[:0], q.Words[0], k)
		r.addAll(s.scan.set, query, q, room.list, from)
	}
	founds.Put(room)
}
