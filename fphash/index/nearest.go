package index

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"

	"simhashkit/fphash"
)

var errNoStructure = errors.New("index: no structure, expected one that New has built")

// Within returns the matches of a query with the fingerprints that are stored for them, which must
// not be changed, in ascending order of position.
func Within(s Structure, query Query, k int) (iter.Seq2[Match, fphash.Fingerprint], error) {
	if s == nil {
		return nil, errNoStructure
	}
	matches, err := s.AppendWithin(nil, query, k)
	if err != nil {
		return nil, err
	}
	return func(yield func(Match, fphash.Fingerprint) bool) {
		for _, m := range matches {
			if !yield(m, s.Set().At(m.Position)) {
				return
			}
		}
	}, nil
}

// Nearest returns the n stored fingerprints that are nearest to a query, nearest first and at equal
// distance in order of position, or all that may match if they are fewer. Where fewer than n are
// within the largest distance of the structure, it takes the time of a scan.
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

// growing asks for larger and larger distances up to the largest, and returns the nearest n if so
// many are within it.
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

// nearest cuts matches down to the nearest n, nearest first.
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
