package index

import (
	"sync"

	"simhashkit/asm/hamming"
)

// scan compares all fingerprints with the query, at the speed of memory. It needs no memory of its
// own and answers for every distance.
type scan struct {
	set    *Set
	unsure int // the largest number of unsure bits of a stored fingerprint
}

func newScan(set *Set) *scan {
	s := &scan{set: set}
	for i, w := 0, set.Stride(); i < len(set.Masks); i += w {
		s.unsure = max(s.unsure, onesCount(set.Masks[i:i+w]))
	}
	return s
}

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

// scanRoom is how many fingerprints are scanned before what was found is looked at, such that the
// room for it stays small where everything matches.
const scanRoom = 1 << 14

// found is the room for what one scan of scanRoom fingerprints finds.
type found struct{ list []hamming.Match }

var founds = sync.Pool{New: func() any { return new(found) }}

// one adds all matches of a query by comparing it with every fingerprint.
func (s *scan) one(r *results, query int, q *Query, k int) {
	screen, worth := s.screen(q, k)
	if !worth {
		for i := range s.set.Len() {
			r.offer(s.set, query, q, i, k)
		}
		return
	}
	w, room := s.set.Stride(), founds.Get().(*found)
	for from := 0; from < s.set.Len(); from += scanRoom {
		to := min(from+scanRoom, s.set.Len())
		if r.err = s.set.use(from, to); r.err != nil {
			break
		}
		room.list = hamming.AppendWithin(room.list[:0], s.set.Words[from*w:to*w], q.Words, screen)
		r.verify(s.set, query, q, k, room.list, from, screen == k)
	}
	founds.Put(room)
}

// screen returns the distance that a match within k can have when no bit is ignored, and whether
// few enough strangers are within it for a kernel to find the matches among them.
func (s *scan) screen(q *Query, k int) (screen int, worth bool) {
	unsure := s.unsure + q.unsure()
	return k + unsure, unsure == 0 || 4*(k+unsure) <= s.set.Bits
}

// verify adds what a kernel has found, at positions counted from the given one, with the query
// itself unless the kernel's distances are exact.
func (r *results) verify(s *Set, query int, q *Query, k int, list []hamming.Match, from int, exact bool) {
	for _, m := range list {
		if !exact {
			r.offer(s, query, q, from+m.Index, k)
		} else if id := s.ID(from + m.Index); q.allows(id) {
			r.add(query, Match{id, from + m.Index, m.Distance})
		}
	}
}

// batch adds all matches of several queries, which pass over the fingerprints together unless some
// have unsure bits.
func (s *scan) batch(r *results, queries []Query, k int) {
	unsure := s.unsure
	for i := range queries {
		unsure += queries[i].unsure()
	}
	if unsure > 0 {
		for i := range queries {
			s.one(r, i, &queries[i], k)
		}
		return
	}
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
