package index

import (
	"fmt"
	"iter"
	"slices"

	"simhashkit/fphash"
)

// Snapshot is an [Index] as it was at one moment. Positions of matches are those in the snapshot,
// in the order of insertion; those of deleted fingerprints stay empty until their level is built
// anew.
type Snapshot struct {
	width, maxK int
	definition  string
	levels      []level
	positions   int
}

// Len returns the number of fingerprints, without those deleted.
func (s *Snapshot) Len() (n int) {
	for i := range s.levels {
		n += s.levels[i].live()
	}
	return n
}

// MaxK returns the largest distance that may be asked for: the K of the index's options.
func (s *Snapshot) MaxK() int { return s.maxK }

// At returns the fingerprint at a position of a match, which must not be changed.
func (s *Snapshot) At(position int) fphash.Fingerprint {
	i := len(s.levels) - 1
	for s.levels[i].start > position {
		i--
	}
	return s.levels[i].set.At(position - s.levels[i].start)
}

// All returns the fingerprints with their ids, without those deleted, in order of insertion.
func (s *Snapshot) All() iter.Seq2[uint64, fphash.Fingerprint] {
	return func(yield func(uint64, fphash.Fingerprint) bool) {
		for i := range s.levels {
			l := &s.levels[i]
			for j := range l.set.Len() {
				if !l.dead.has(j) && !yield(l.set.ID(j), l.set.At(j)) {
					return
				}
			}
		}
	}
}

// find returns the level of an id and the position in it.
func (s *Snapshot) find(id uint64) (i, position int, found bool) {
	for i := len(s.levels) - 1; i >= 0; i-- {
		if position, found := s.levels[i].find(id); found {
			return i, position, true
		}
	}
	return 0, 0, false
}

// like returns a set without fingerprints that is as those of the snapshot.
func (s *Snapshot) like() *Set { return &Set{Bits: s.width, Definition: s.definition} }

func (s *Snapshot) check(queries []Query, k int) error {
	if k < 0 || k > s.maxK {
		return fmt.Errorf("%w: %d, expected 0 to %d, the largest that the index was made for", ErrDistance, k, s.maxK)
	}
	for i := range queries {
		if err := queries[i].check(s.like()); err != nil {
			return err
		}
	}
	return nil
}

// AppendWithin appends to dst a Match for every fingerprint within k bits of the query, in
// ascending order of position. An error is ErrQuery, ErrDistance or fphash.ErrMismatch, and leaves
// dst as it was.
func (s *Snapshot) AppendWithin(dst []Match, query Query, k int) ([]Match, error) {
	queries := [1]Query{query}
	if err := s.check(queries[:], k); err != nil {
		return dst, err
	}
	for i := range s.levels {
		l, kept := &s.levels[i], len(dst)
		var err error
		if dst, err = l.structure.AppendWithin(dst, query, k); err != nil {
			return dst[:kept], err
		}
		for _, m := range dst[kept:] {
			if !l.dead.has(m.Position) {
				m.Position += l.start
				dst[kept] = m
				kept++
			}
		}
		dst = dst[:kept]
	}
	return dst, nil
}

// AppendWithinBatch appends what AppendWithin does for each of the queries, in the order of the
// queries. It is faster than one by one.
func (s *Snapshot) AppendWithinBatch(dst []QueryMatch, queries []Query, k int) ([]QueryMatch, error) {
	if err := s.check(queries, k); err != nil {
		return dst, err
	}
	start := len(dst)
	for i := range s.levels {
		l, kept := &s.levels[i], len(dst)
		var err error
		if dst, err = l.structure.AppendWithinBatch(dst, queries, k); err != nil {
			return dst[:start], err
		}
		for _, m := range dst[kept:] {
			if !l.dead.has(m.Position) {
				m.Position += l.start
				dst[kept] = m
				kept++
			}
		}
		dst = dst[:kept]
	}
	sortQueryMatches(dst[start:])
	return dst, nil
}

// Within returns the matches of a query with the fingerprints that are stored for them, which must
// not be changed, in ascending order of position.
func (s *Snapshot) Within(query Query, k int) (iter.Seq2[Match, fphash.Fingerprint], error) {
	matches, err := s.AppendWithin(nil, query, k)
	if err != nil {
		return nil, err
	}
	return func(yield func(Match, fphash.Fingerprint) bool) {
		for _, m := range matches {
			if !yield(m, s.At(m.Position)) {
				return
			}
		}
	}, nil
}

// Nearest returns the n fingerprints that are nearest to a query, nearest first and at equal
// distance in order of position, or all that may match if they are fewer. Where fewer than n are
// within MaxK, it takes the time of a scan.
func (s *Snapshot) Nearest(query Query, n int) ([]Match, error) {
	if err := checkNearest(s.like(), &query, n); err != nil {
		return nil, err
	}
	within := func(k int) ([]Match, error) { return s.AppendWithin(nil, query, k) }
	if matches, found, err := growing(within, s.maxK, n); err != nil || found {
		return matches, err
	}
	var best []Match
	for i := range s.levels {
		l := &s.levels[i]
		best = append(best, l.set.nearest(&query, l.dead, l.start, n)...)
	}
	return slices.Clip(nearest(best, n)), nil
}
