// Package index finds all stored fingerprints that differ from a query in at most k bits.
//
//	bits, definition := sketcher.Bits(), sketcher.String()
//	x, err := index.New(bits, definition, 3)
//	err = x.Insert(&index.Set{Bits: bits, Words: words, IDs: ids, Definition: definition})
//	query := index.Query{Words: words, Definition: definition}
//	matches, err := x.Snapshot().AppendWithin(nil, query, 3)
//
// An [Index] supports inserts and deletes during searches; [Index.InsertUnlessNear] searches and
// inserts in one step. Results are exact: those of comparing all fingerprints with the query.
// Package indexfile stores an index in a file, and package join finds all near pairs of a set and
// the groups that they form.
package index

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"simhashkit/fphash"
	"simhashkit/fphash/index/internal/search"
)

// Index holds fingerprints that can be searched while others are inserted and deleted. Readers take
// no lock and never wait.
//
// An index consists of levels, each with tables over a set that does not change. An insert adds a
// level, and levels of similar size are merged, so that there are few of them. (Bentley, Saxe:
// Decomposable Searching Problems, 1980.) A call merges at most 16,384 entries before it returns.
// Larger merges run in one background goroutine that ends when there is nothing left to merge, so
// an index need not be closed. Until a merge is done, searches use the old levels, so results never
// depend on its progress. During a merge, its entries are in memory twice. Each entry takes part in
// about log4(n) merges.
//
// All methods are safe for concurrent use. Make an Index with New; the methods of a zero Index
// panic.
type Index struct {
	width   int
	options options
	current atomic.Pointer[Snapshot]

	writer  sync.Mutex // locked to make the next snapshot
	taken   []level    // levels being merged in the background, or nil; guarded by writer
	settled sync.Cond  // with writer: signals that taken is nil again

	mostOnCaller int    // maximum number of entries that a call merges
	mostInLevel  int    // maximum number of entries of a merged level
	beforeSwap   func() // for tests: called after a background merge has built its level
}

// options determine how an Index is built.
type options struct {
	k       int // largest distance of a query
	workers int // number of goroutines that build a level; 0 means one per processor

	design search.Design // for tests: build these tables for all levels, unless it is zero
}

// New returns an empty index for fingerprints of the given width. The definition is the result of
// fphash.Definition.String, or "" if unknown. Queries and inserted sets must have the same
// definition.
func New(width int, definition string, k int) (*Index, error) {
	return newIndex(width, definition, options{k: k})
}

func newIndex(width int, definition string, o options) (*Index, error) {
	if err := (&Set{Bits: width}).Check(); err != nil {
		return nil, err
	}
	if o.k < 0 || o.k > width {
		return nil, fmt.Errorf("index: k = %d, expected 0 to %d", o.k, width)
	}
	x := &Index{width: width, options: o, mostOnCaller: mostMergedOnCaller, mostInLevel: mostInLevel}
	x.settled.L = &x.writer
	x.current.Store(&Snapshot{width: width, maxK: o.k, definition: definition})
	return x, nil
}

// Snapshot returns the current state of the index, which can be queried and does not change. A
// snapshot occupies memory as long as it is in use.
func (x *Index) Snapshot() *Snapshot {
	if x == nil || x.settled.L == nil {
		panic("index: Index was not made by New")
	}
	return x.current.Load()
}

// Insert adds copies of all fingerprints of a set. On error, it adds none. It returns an error if
// an id is already in the index, and fphash.ErrMismatch if the set has another Definition than the
// index. Its running time depends on the size of the set, but hardly on the size of the index. One
// call for many fingerprints is faster than many calls for a few.
func (x *Index) Insert(set *Set) error {
	if err := set.Check(); err != nil {
		return err
	}
	if err := set.Comparable(x.Snapshot().like()); err != nil {
		return err
	}
	if set.Len() == 0 {
		return nil
	}
	// Check and build without the lock, so that other writers need not wait.
	before := x.Snapshot()
	if err := before.checkNew(set); err != nil {
		return err
	}
	added := level{set: concat([]level{{set: set}})}
	if set.Len() > x.mostOnCaller {
		added.build(x.options)
	}
	x.writer.Lock()
	defer x.writer.Unlock()
	now := x.Snapshot()
	if err := now.since(before).checkNew(set); err != nil {
		return err
	}
	x.publish(append(slices.Clone(now.levels), added), x.mostOnCaller)
	return nil
}

// InsertUnlessNear inserts a copy of the fingerprint of a query with the given id, unless stored
// fingerprints are within k bits. It returns these, in order of insertion; none means that the
// fingerprint was inserted. Of simultaneous calls with near fingerprints, only one inserts. It
// returns the errors of Insert and Snapshot.AppendWithin. It compares only fingerprints: for texts,
// see package dedup. Cost: a search and an insert.
func (x *Index) InsertUnlessNear(id uint64, query Query, k int) (near []Match, err error) {
	before := x.Snapshot()
	if near, err = before.AppendWithin(nil, query, k); err != nil || len(near) > 0 {
		return near, err
	}
	set := before.like()
	set.Words, set.IDs = slices.Clone(query.Words), []uint64{id}
	x.writer.Lock()
	defer x.writer.Unlock()
	now := x.Snapshot()
	for _, l := range now.since(before).levels {
		near = l.appendWithin(near, &query, k)
	}
	if len(near) > 0 {
		return near, nil
	}
	if err := now.checkNew(set); err != nil {
		return nil, err
	}
	x.publish(append(slices.Clone(now.levels), level{set: set}), x.mostOnCaller)
	return nil, nil
}

// Delete removes the fingerprints with the given ids and returns their number. It ignores ids that
// are not in the index.
func (x *Index) Delete(ids ...uint64) (deleted int, err error) {
	x.writer.Lock()
	defer x.writer.Unlock()
	levels, deleted := x.Snapshot().without(ids...)
	if deleted > 0 {
		x.publish(levels, x.mostOnCaller)
	}
	return deleted, nil
}

// Settle waits until no background merge is running, for instance before memory is measured. It can
// take long if other goroutines keep inserting.
func (x *Index) Settle() {
	x.Snapshot() // panics for a zero Index
	x.writer.Lock()
	defer x.writer.Unlock()
	for x.taken != nil {
		x.settled.Wait()
	}
}

// Snapshot is the state of an [Index] at one moment. The positions of matches are in order of
// insertion. The position of a deleted fingerprint remains unused until a merge removes it. So the
// order of positions is deterministic, but their values are not. Searches of a zero Snapshot return
// an error.
type Snapshot struct {
	width, maxK int
	definition  string
	levels      []level
	positions   int
}

// Len returns the number of fingerprints, not counting deleted ones.
func (s *Snapshot) Len() (n int) {
	for i := range s.levels {
		n += s.levels[i].live()
	}
	return n
}

// MaxK returns the largest distance of a query: the k of New.
func (s *Snapshot) MaxK() int { return s.maxK }

// Bytes returns the memory of the fingerprints, their ids and the tables, accurate to some kB.
func (s *Snapshot) Bytes() (n int64) {
	for i := range s.levels {
		l := &s.levels[i]
		n += 8*int64(len(l.set.Words)+len(l.set.IDs)) + 4*int64(len(l.byID)) + l.structure.Bytes()
	}
	return n
}

// At returns the fingerprint at the position of a match. It must not be changed.
func (s *Snapshot) At(position int) fphash.Fingerprint {
	i := len(s.levels) - 1
	for s.levels[i].start > position {
		i--
	}
	return s.levels[i].set.At(position - s.levels[i].start)
}

// Has reports whether the snapshot has a fingerprint with the given id.
func (s *Snapshot) Has(id uint64) bool {
	_, _, found := s.find(id)
	return found
}

// find returns the level of an id and its position in that level.
func (s *Snapshot) find(id uint64) (i, position int, found bool) {
	for i := len(s.levels) - 1; i >= 0; i-- {
		if position, found := s.levels[i].find(id); found {
			return i, position, true
		}
	}
	return 0, 0, false
}

// checkNew returns an error if an id of the set is in the snapshot.
func (s *Snapshot) checkNew(set *Set) error {
	for i := range set.Len() {
		if s.Has(set.ID(i)) {
			return fmt.Errorf("index: id %d is already in the index", set.ID(i))
		}
	}
	return nil
}

// since returns a snapshot of the levels that an earlier snapshot does not have.
func (s *Snapshot) since(before *Snapshot) *Snapshot {
	added := *s
	added.levels = slices.DeleteFunc(slices.Clone(s.levels), func(l level) bool {
		return slices.ContainsFunc(before.levels, func(b level) bool { return b.set == l.set })
	})
	return &added
}

// without returns a copy of the levels in which the given ids are deleted, and the number of ids
// found.
func (s *Snapshot) without(ids ...uint64) (levels []level, deleted int) {
	next := Snapshot{levels: slices.Clone(s.levels)}
	forked := make([]bool, len(next.levels))
	for _, id := range ids {
		i, position, found := next.find(id)
		if !found {
			continue
		}
		l := &next.levels[i]
		if !forked[i] {
			l.dead, forked[i] = l.dead.fork(l.set.Len()), true
		}
		l.dead.add(position)
		deleted++
	}
	return next.levels, deleted
}

var errNoSnapshot = errors.New("index: Snapshot was not returned by Index.Snapshot")

// like returns an empty set with the width and definition of the snapshot.
func (s *Snapshot) like() *Set { return &Set{Bits: s.width, Definition: s.definition} }
