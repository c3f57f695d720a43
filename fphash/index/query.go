package index

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"simhashkit/asm/hamming"
	"simhashkit/fphash"
	"simhashkit/fphash/index/internal/layout"
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
	Position int // position among the fingerprints of the set, from 0
	Distance int // number of bits in which it differs from the query
}

// QueryMatch is a match of one of several queries.
type QueryMatch struct {
	Query int // position among the queries, from 0
	Match
}

// ErrDistance is the error for a distance that a structure cannot search.
var ErrDistance = errors.New("index: distance out of range")

// ErrQuery is the error for a query that does not match the format of the stored fingerprints.
var ErrQuery = errors.New("index: query does not fit the fingerprints")

var errNoStructure = errors.New("index: no structure, expected one that Build returned")

// Nearest returns the n stored fingerprints nearest to a query, or all that its Allow function
// accepts if there are fewer. The nearest come first; at equal distance, they are in order of
// position. If fewer than n are within the largest distance of the structure, Nearest scans all
// fingerprints.
func Nearest(s Structure, query Query, n int) ([]Match, error) {
	if s == nil {
		return nil, errNoStructure
	}
	if err := checkNearest(s.Set(), &query, n); err != nil {
		return nil, err
	}
	if s.MaxK() < s.Set().Bits {
		within := func(k int) ([]Match, error) { return s.AppendWithin(nil, query, k) }
		if matches, found, err := growing(within, s.MaxK(), n); err != nil || found {
			return matches, err
		}
	}
	if err := s.Set().use(0, s.Set().Len()); err != nil {
		return nil, err
	}
	return s.Set().nearest(&query, nil, 0, n), nil
}

// check returns an error if the query cannot be compared with the fingerprints of the set.
func (q *Query) check(set *Set) error {
	if !SameDefinition(q.Definition, set.Definition) {
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
	return nil
}

// checkAll checks all queries, and that k is at most the largest distance of the structure.
func checkAll(s Structure, queries []Query, k int) error {
	if k < 0 || k > s.MaxK() {
		return fmt.Errorf("%w: %d, expected 0 to %d, the largest of %s over %d bits", ErrDistance, k, s.MaxK(), s.Name(), s.Set().Bits)
	}
	for i := range queries {
		if err := queries[i].check(s.Set()); err != nil {
			if len(queries) > 1 {
				return fmt.Errorf("query %d of %d: %w", i, len(queries), err)
			}
			return err
		}
	}
	return nil
}

// lastWord returns a mask of the bits of the last word that belong to a fingerprint.
func lastWord(width int) uint64 { return ^uint64(0) >> (uint(-width) % 64) }

func (q *Query) allows(id uint64) bool { return q.Allow == nil || q.Allow(id) }

// distanceTo returns the distance of the fingerprint at position i to the query.
func (s *Set) distanceTo(q *Query, i int) (n int) {
	at := i * len(q.Words)
	for w, word := range q.Words {
		n += bits.OnesCount64(word ^ s.Words[at+w])
	}
	return n
}

// results collects the matches of one or several queries.
type results struct {
	one  []Match
	each []QueryMatch
	many bool // collect in each, not in one
	err  error
}

// single returns the matches of one query, or dst unchanged if reading failed.
func (r *results) single(dst []Match) ([]Match, error) {
	if r.err != nil {
		return dst, r.err
	}
	return r.one, nil
}

// several returns the matches of several queries, or dst unchanged if reading failed.
func (r *results) several(dst []QueryMatch) ([]QueryMatch, error) {
	if r.err != nil {
		return dst, r.err
	}
	return r.each, nil
}

func (r *results) add(query int, m Match) {
	if r.many {
		r.each = append(r.each, QueryMatch{query, m})
	} else {
		r.one = append(r.one, m)
	}
}

// addAll adds the matches of a kernel, which start at the given position.
func (r *results) addAll(set *Set, query int, q *Query, list []hamming.Match, from int) {
	for _, m := range list {
		if id := set.ID(from + m.Index); q.allows(id) {
			r.add(query, Match{id, from + m.Index, m.Distance})
		}
	}
}

// sortMatches sorts the matches of one query by position.
func sortMatches(matches []Match) {
	slices.SortFunc(matches, func(a, b Match) int { return cmp.Compare(a.Position, b.Position) })
}

// sortQueryMatches sorts matches by query, and the matches of one query by position.
func sortQueryMatches(matches []QueryMatch) {
	slices.SortFunc(matches, func(a, b QueryMatch) int {
		return cmp.Or(cmp.Compare(a.Query, b.Query), cmp.Compare(a.Position, b.Position))
	})
}

// use returns an error if the guard refuses the fingerprints at these positions.
func (s *Set) use(from, to int) error {
	if s.guard == nil {
		return nil
	}
	w := s.Stride()
	if err := layout.Use(s.guard, s.Words[from*w:to*w]); err != nil {
		return err
	}
	if s.IDs != nil {
		return layout.Use(s.guard, s.IDs[from:to])
	}
	return nil
}

// growing searches with increasing distances up to largest, until it finds n matches, and returns
// the nearest n of them.
func growing(within func(k int) ([]Match, error), largest, n int) (matches []Match, found bool, err error) {
	for k := 0; ; k = min(2*k+1, largest) {
		matches, err := within(k)
		if err != nil || len(matches) >= n {
			return nearest(matches, n), err == nil, err
		}
		if k == largest {
			return nil, false, nil
		}
	}
}

func checkNearest(set *Set, query *Query, n int) error {
	if n < 1 {
		return fmt.Errorf("index: the %d nearest, expected at least 1", n)
	}
	return query.check(set)
}

// nearest returns the nearest n of the matches, nearest first.
func nearest(matches []Match, n int) []Match {
	slices.SortFunc(matches, func(a, b Match) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.Position, b.Position))
	})
	return matches[:min(n, len(matches))]
}

// nearest returns the n nearest fingerprints that are not deleted, with from added to their
// positions. Each time it has collected 2n, it keeps the nearest n and then skips fingerprints that
// are not nearer.
func (s *Set) nearest(q *Query, dead *tombstones, from, n int) (best []Match) {
	n = min(n, max(s.Len(), 1))
	farthest := s.Bits
	for i := range s.Len() {
		d := s.distanceTo(q, i)
		if d > farthest || dead.has(i) || !q.allows(s.ID(i)) {
			continue
		}
		if best = append(best, Match{s.ID(i), from + i, d}); len(best) == 2*n {
			best = nearest(best, n)
			farthest = best[len(best)-1].Distance - 1
		}
	}
	return nearest(best, n)
}
