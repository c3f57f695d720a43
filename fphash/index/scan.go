package index

import (
	"fmt"
	"sync"

	"simhashkit/asm/hamming"
)

// scan compares all fingerprints with the query, at memory speed. It needs no additional memory and
// has no distance limit.
type scan struct{ set *Set }

func newScan(set *Set) *scan { return &scan{set} }

func (s *scan) Name() string { return "scan" }
func (s *scan) Set() *Set    { return s.set }
func (s *scan) Bytes() int64 { return 0 }
func (s *scan) MaxK() int    { return s.set.Bits }

func (s *scan) AppendWithin(dst []Match, query Query, k int) ([]Match, error) {
	queries := [1]Query{query}
	if err := checkAll(s, queries[:], k); err != nil {
		return dst, err
	}
	r := results{one: dst}
	s.one(&r, 0, &queries[0], k)
	return r.single(dst)
}

func (s *scan) AppendWithinBatch(dst []QueryMatch, queries []Query, k int) ([]QueryMatch, error) {
	if err := checkAll(s, queries, k); err != nil {
		return dst, err
	}
	r := results{each: dst, many: true}
	s.batch(&r, queries, k)
	return r.several(dst)
}

// scanRoom is the number of fingerprints that are scanned at a time. It limits the buffer for
// matches, even if everything matches.
const scanRoom = 1 << 14

// found is the buffer for the matches among scanRoom fingerprints.
type found struct{ list []hamming.Match }

var founds = sync.Pool{New: func() any { return new(found) }}

// one adds the matches of a query, which it compares with every fingerprint.
func (s *scan) one(r *results, query int, q *Query, k int) {
	w, room := s.set.Stride(), founds.Get().(*found)
	for from := 0; from < s.set.Len(); from += scanRoom {
		to := min(from+scanRoom, s.set.Len())
		if r.err = s.set.use(from, to); r.err != nil {
			break
		}
		room.list = hamming.AppendWithin(room.list[:0], s.set.Words[from*w:to*w], q.Words, k)
		r.addAll(s.set, query, q, room.list, from)
	}
	founds.Put(room)
}

// batch adds the matches of several queries. A single pass over the fingerprints serves all
// queries.
func (s *scan) batch(r *results, queries []Query, k int) {
	if r.err = s.set.use(0, s.set.Len()); r.err != nil {
		return
	}
	words := make([]uint64, 0, len(queries)*s.set.Stride())
	for i := range queries {
		words = append(words, queries[i].Words...)
	}
	for _, m := range hamming.AppendWithinBatch(nil, s.set.Words, words, s.set.Stride(), k) {
		if id := s.set.ID(m.Index); queries[m.Query].allows(id) {
			r.add(m.Query, Match{id, m.Index, m.Distance})
		}
	}
}

// split holds the fingerprints in parts, each in its own array. It scans the first array, and reads
// little of the others. It is for 64-bit fingerprints and small distances.
type split struct {
	*scan // for batches: whole fingerprints stay in the cache for all queries
	parts hamming.Split
}

// splitMaxK is the largest distance at which scanning parts of fingerprints is faster than scanning
// whole ones.
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

// one scans the parts if that is faster, otherwise whole fingerprints.
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
