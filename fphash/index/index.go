// Package index finds the stored fingerprints that differ from a query in at most k bits. It finds
// all of them.
//
//	bits, definition := sketcher.Bits(), sketcher.String()
//	x, err := index.New(bits, definition, index.Options{K: 3})
//	err = x.Insert(&index.Set{Bits: bits, Words: words, IDs: ids, Definition: definition})
//	query := index.Query{Words: words, Definition: definition}
//	matches, err := x.Snapshot().AppendWithin(nil, query, 3)
//
// An [Index] supports inserts and deletes while others search it; [Build] makes a [Structure] for a
// set that does not change. Package indexfile keeps an index in a file, and package join finds all
// pairs of a set, and the groups that they form.
package index

import (
	"fmt"
	"iter"
	"slices"
	"sync"
	"sync/atomic"

	"simhashkit/fphash"
)

// Index is fingerprints that are searched while others are inserted and deleted: readers take no
// lock and never wait. It keeps levels, each a [Structure] over a set that does not change, of
// which every one has several times as many fingerprints as the next: what is inserted makes a
// level of its own, which takes in those before it that are not much larger. (Bentley, Saxe:
// Decomposable Searching Problems, 1980.)
//
// All methods may be called by any number of goroutines at the same time.
type Index struct {
	width   int
	options Options
	writer  sync.Mutex // held by the one who makes the next snapshot
	current atomic.Pointer[Snapshot]
}

// New returns an empty index of fingerprints of the given width and definition, as
// fphash.Definition.String returns it. Queries and inserted sets must have the same definition;
// empty means unknown. The options say how levels are built. Their K is the largest distance of a
// query, and their Memory a limit for each level.
func New(width int, definition string, o Options) (*Index, error) {
	if _, err := Build(&Set{Bits: width}, o); err != nil {
		return nil, err
	}
	x := &Index{width: width, options: o}
	x.current.Store(&Snapshot{width: width, maxK: o.K, definition: definition})
	return x, nil
}

// Snapshot returns the index as it is now, which is what queries ask. It does not change, and keeps
// its memory while it is in use.
func (x *Index) Snapshot() *Snapshot { return x.current.Load() }

// Insert adds copies of all fingerprints of a set, or none if it returns an error: if an id is in
// the index, or fphash.ErrMismatch if the set's Definition is not that of the index. It builds a
// level before it returns, and may rebuild the whole index. One call for many fingerprints is
// faster than many for few.
func (x *Index) Insert(set *Set) error {
	if err := set.Check(); err != nil {
		return err
	}
	x.writer.Lock()
	defer x.writer.Unlock()
	now := x.Snapshot()
	if err := set.Comparable(now.like()); err != nil {
		return err
	}
	for i := range set.Len() {
		if _, _, found := now.find(set.ID(i)); found {
			return fmt.Errorf("index: id %d is in the index, expected a new one", set.ID(i))
		}
	}
	if set.Len() == 0 {
		return nil
	}
	levels := append(now.levels[:len(now.levels):len(now.levels)], level{set: concat([]level{{set: set}})})
	return x.publish(now, levels)
}

// Delete removes the fingerprints that have the ids, and returns how many there were; ids that are
// not in the index are passed over.
func (x *Index) Delete(ids ...uint64) (deleted int, err error) {
	x.writer.Lock()
	defer x.writer.Unlock()
	now := x.Snapshot()
	next := *now
	next.levels = append([]level(nil), now.levels...)
	changed := make([]bool, len(next.levels))
	for _, id := range ids {
		i, position, found := next.find(id)
		if !found {
			continue
		}
		if !changed[i] {
			next.levels[i].dead, changed[i] = next.levels[i].dead.fork(next.levels[i].set.Len()), true
		}
		next.levels[i].dead.add(position)
		deleted++
	}
	if deleted == 0 {
		return 0, nil
	}
	if err := x.publish(&next, next.levels); err != nil {
		return 0, err
	}
	return deleted, nil
}

// publish merges levels and makes them what readers see from then on.
func (x *Index) publish(now *Snapshot, levels []level) error {
	levels, err := mergeLevels(levels, x.options)
	if err != nil {
		return err
	}
	next := &Snapshot{width: now.width, maxK: now.maxK, definition: now.definition, levels: levels}
	for i := range levels {
		levels[i].start = next.positions
		next.positions += levels[i].set.Len()
	}
	x.current.Store(next)
	return nil
}

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
