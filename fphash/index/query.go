package index

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"

	"simhashkit/asm/hamming"
	"simhashkit/fphash"
)

// Query is a search for the stored fingerprints near a given one.
type Query struct {
	Words []uint64 // the fingerprint, with as many words as the fingerprints of the set

	// Allow reports whether an id may match; nil allows all. It may be the Contains method of a
	// bitmap.
	Allow func(id uint64) bool

	// Definition must equal the definition of the searched set, in the form of
	// fphash.Definition.String; otherwise the search returns an error. An empty Definition matches
	// only a set without a definition.
	Definition string
}

// Match is a stored fingerprint near a query.
type Match struct {
	ID       uint64
	Position int // position among the fingerprints of the snapshot
	Distance int // number of bits in which it differs from the query
}

// ErrQuery is the error for a query that does not match the format of the stored fingerprints, and
// for a distance that is out of range.
var ErrQuery = errors.New("index: query does not fit the fingerprints")

// Check returns an error if the query cannot be compared with the fingerprints of a set:
// fphash.ErrMismatch or ErrQuery. It returns ErrQuery unless k is 0 to maxK, the largest distance
// of the index.
func (q *Query) Check(set *Set, k, maxK int) error {
	if set == nil {
		return errNoSet
	}
	if !sameDefinition(q.Definition, set.Definition) {
		asked := Set{Bits: 64 * len(q.Words), Definition: q.Definition}
		return fmt.Errorf("%w: the query has %s, the fingerprints have %s", fphash.ErrMismatch, asked.defined(), set.defined())
	}
	w := set.Stride()
	if len(q.Words) != w {
		return fmt.Errorf("%w: %d words, expected the %d of %d bits", ErrQuery, len(q.Words), w, set.Bits)
	}
	if q.Words[w-1]&^lastWord(set.Bits) != 0 {
		return fmt.Errorf("%w: bits beyond the width of %d bits", ErrQuery, set.Bits)
	}
	if k < 0 || k > maxK {
		return fmt.Errorf("%w: distance %d, expected 0 to %d, the K of the index", ErrQuery, k, maxK)
	}
	return nil
}

// lastWord returns a mask of the bits of the last word that belong to a fingerprint.
func lastWord(width int) uint64 { return ^uint64(0) >> (uint(-width) % 64) }

// buffers holds buffers for the matches in a level.
var buffers = sync.Pool{New: func() any { return new([]hamming.Match) }}

// check returns an error if the snapshot cannot be searched for the query.
func (s *Snapshot) check(query *Query, k int) error {
	if s.width == 0 {
		return errNoSnapshot
	}
	return query.Check(s.like(), k, s.maxK)
}

// AppendWithin appends to dst a Match for every fingerprint within k bits of the query, in
// ascending order of position. The error is ErrQuery or fphash.ErrMismatch; on error, dst is
// unchanged.
func (s *Snapshot) AppendWithin(dst []Match, query Query, k int) ([]Match, error) {
	if err := s.check(&query, k); err != nil {
		return dst, err
	}
	for i := range s.levels {
		dst = s.levels[i].appendWithin(dst, &query, k)
	}
	return dst, nil
}

// appendWithin appends the matches that are allowed and not deleted.
func (l *level) appendWithin(dst []Match, query *Query, k int) []Match {
	buffer := buffers.Get().(*[]hamming.Match)
	*buffer, _ = l.structure.AppendWithin((*buffer)[:0], query.Words, k) // it has no guard, so it cannot fail
	for _, m := range *buffer {
		if l.allows(query, m.Index) {
			dst = append(dst, l.match(m))
		}
	}
	buffers.Put(buffer)
	return dst
}

// allows reports whether the query allows the fingerprint at a position of the level, and it is not
// deleted.
func (l *level) allows(query *Query, i int) bool {
	return !l.dead.has(i) && (query.Allow == nil || query.Allow(l.set.ID(i)))
}

func (l *level) match(m hamming.Match) Match {
	return Match{l.set.ID(m.Index), l.start + m.Index, m.Distance}
}

// Nearest returns the n fingerprints nearest to a query, or all that its Allow function accepts if
// there are fewer. The nearest come first; at equal distance, they are in order of position. If
// fewer than n are within MaxK, Nearest scans all fingerprints.
func (s *Snapshot) Nearest(query Query, n int) (best []Match, err error) {
	if err := s.check(&query, 0); err != nil {
		return nil, err
	}
	if n < 1 {
		return nil, fmt.Errorf("index: the %d nearest, expected at least 1", n)
	}
	for i := range s.levels {
		l := &s.levels[i]
		near, _ := l.structure.Nearest(query.Words, n, func(i int) bool { return l.allows(&query, i) })
		for _, m := range near {
			best = append(best, l.match(m))
		}
	}
	slices.SortFunc(best, func(a, b Match) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.Position, b.Position))
	})
	return slices.Clip(best[:min(n, len(best))]), nil
}
