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

// Query asks for the stored fingerprints that are near a given one.
type Query struct {
	Words []uint64 // the fingerprint, with as many words as those of the set

	// Allow says which ids may match; nil allows all. It may be the Contains method of a bitmap.
	Allow func(id uint64) bool

	// Definition must be that of the searched set, as fphash.Definition.String returns it.
	// Otherwise the query is refused. An empty Definition matches only a set without a definition.
	Definition string
}

// Match is a stored fingerprint within the distance of a query.
type Match struct {
	ID       uint64
	Position int // position among the fingerprints of the set, from 0
	Distance int // the number of bits in which it differs from the query
}

// QueryMatch is a match of one of several queries.
type QueryMatch struct {
	Query int // the query's position among the queries, from 0
	Match
}

// ErrDistance is the error for a distance that a structure cannot search.
var ErrDistance = errors.New("index: distance out of range")

// ErrQuery is the error for a query that does not fit the stored fingerprints.
var ErrQuery = errors.New("index: query does not fit the fingerprints")

var errNoStructure = errors.New("index: no structure, expected one that New has built")

// Nearest returns the n stored fingerprints that are nearest to a query, or all that its Allow
// function admits if there are fewer. The nearest come first; at equal distance, they are in order
// of position. If fewer than n are within the largest distance of the structure, it takes the time
// of a scan.
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

// check returns an error unless the query can be compared with the fingerprints of the set.
func (q *Query) check(set *Set) error {
	if !SameDefinition(q.Definition, set.Definition) {
		asked := Set{Bits: 64 * len(q.Words), Definition: q.Definition}
		return fmt.Errorf("%w: the query's is %s, that of the fingerprints %s", fphash.ErrMismatch, asked.defined(), set.defined())
	}
	w := set.Stride()
	if len(q.Words) != w {
		return fmt.Errorf("%w: %d words, expected the %d of %d bits", ErrQuery, len(q.Words), w, set.Bits)
	}
	if q.Words[w-1]&^lastWord(set.Bits) != 0 {
		return fmt.Errorf("%w: bits beyond the %d that were expected", ErrQuery, set.Bits)
	}
	return nil
}

// checkAll checks all queries, and checks k against the largest distance that the structure can
// search.
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

// distanceTo returns the number of bits in which the fingerprint at position i differs from the
// query.
func (s *Set) distanceTo(q *Query, i int) (n int) {
	at := i * len(q.Words)
	for w, word := range q.Words {
		n += bits.OnesCount64(word ^ s.Words[at+w])
	}
	return n
}

// results collects the matches of one query or of several.
type results struct {
	one  []Match
	each []QueryMatch
	many bool // into each, not one
	err  error
}

// single returns the matches of one query. If they could not be read, it returns dst unchanged.
func (r *results) single(dst []Match) ([]Match, error) {
	if r.err != nil {
		return dst, r.err
	}
	return r.one, nil
}

// several returns the matches of several queries. If they could not be read, it returns dst
// unchanged.
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

// addAll adds the matches that a kernel found. Their positions are counted from the given one.
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

// use returns an error unless the fingerprints at these positions may be read.
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

// growing searches with larger and larger distances up to the largest, and returns the nearest n if
// there are so many within it.
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

// nearest returns the nearest n fingerprints that are not deleted, with positions counted from the
// given one. Each time it has collected 2n, it keeps the nearest n and from then on skips
// fingerprints that are not nearer.
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
