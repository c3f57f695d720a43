package index

import (
	"fmt"
	"sync"
	"sync/atomic"
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
// fphash.Definition.String has it, which queries and what is inserted must have, too; empty means
// unknown. The options say what its levels are built as; their K is the largest distance that may
// be asked for, and their Memory a limit for each level.
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
// the index, or fphash.ErrMismatch if the set's Definition is not that of the index. It takes the
// time of building a level, now and then one of everything; one call for many fingerprints is
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
