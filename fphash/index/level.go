package index

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"simhashkit/fphash/index/internal/search"
)

// level is a part of an index: a structure over its own set, and the deleted fingerprints of that
// set. Snapshots share unchanged parts.
type level struct {
	set       *Set
	structure *search.Structure // nil before it is built
	byID      []uint32          // positions sorted by id; nil if the ids ascend
	dead      *tombstones
	start     int // position of its first fingerprint in the snapshot
}

// growth is the minimum ratio of the sizes of adjacent levels. A larger ratio makes inserts rebuild
// fewer fingerprints, but makes queries search more levels.
const growth = 4

// smallLevel is the maximum number of fingerprints of a level that is scanned.
const smallLevel = 2048

// mostMergedOnCaller is small enough that a merge takes only a few milliseconds.
const mostMergedOnCaller = 1 << 14

// mostInLevel keeps positions in a level below 2^32, like [Set.Check].
const mostInLevel = min(math.MaxInt, math.MaxUint32-1)

// live returns the number of fingerprints that are not deleted.
func (l *level) live() int { return l.set.Len() - l.dead.len() }

// nextMerge returns the last range of levels that should be merged into one of at most most
// entries, or from = to if there is none. It ignores levels before first. It merges levels if each
// is less than growth times as large as all later levels of the range, and it merges a single level
// if most of it is deleted.
func nextMerge(levels []level, first, most int) (from, to int) {
	for to := len(levels); to > first; to = from {
		from = to - 1
		size := levels[from].live()
		for from > first && levels[from-1].live() < growth*size && size+levels[from-1].live() <= most {
			from--
			size += levels[from].live()
		}
		last := &levels[to-1]
		if to-from > 1 || 2*last.dead.len() > last.set.Len() && size <= most {
			return from, to
		}
	}
	return 0, 0
}

// concat returns a new set of all fingerprints that are not deleted.
func concat(levels []level) *Set {
	all, n := &Set{Bits: levels[0].set.Bits, Definition: levels[0].set.Definition}, 0
	for i := range levels {
		n += levels[i].live()
	}
	all.Words, all.IDs = make([]uint64, 0, n*all.Stride()), make([]uint64, 0, n)
	for i := range levels {
		set := levels[i].set
		for j := range set.Len() {
			if levels[i].dead.has(j) {
				continue
			}
			all.Words, all.IDs = append(all.Words, set.At(j)...), append(all.IDs, set.ID(j))
		}
	}
	return all
}

// build prepares the level for searches.
func (l *level) build(o options) {
	if !slices.IsSorted(l.set.IDs) {
		l.byID = make([]uint32, l.set.Len())
		for i := range l.byID {
			l.byID[i] = uint32(i)
		}
		slices.SortFunc(l.byID, func(a, b uint32) int {
			if l.set.IDs[a] < l.set.IDs[b] {
				return -1
			}
			return 1
		})
	}
	set, ctx, err := search.Fingerprints{Bits: l.set.Bits, Words: l.set.Words}, context.Background(), error(nil)
	if o.design.Blocks > 0 || l.set.Len() <= smallLevel {
		l.structure, err = search.BuildDesign(ctx, set, o.design, o.workers)
	} else {
		l.structure, err = search.Build(ctx, set, o.k, o.workers)
	}
	if err != nil {
		panic(err) // the context is not done
	}
}

// carryDeletes deletes the fingerprints that were deleted after their levels were taken for the
// merge. They are not deleted in then, but deleted in now.
func (l *level) carryDeletes(then, now []level) {
	at := 0 // position in l of the first fingerprint of the next level
	for i := range then {
		start := at
		at += then[i].live()
		if then[i].dead == now[i].dead {
			continue
		}
		for p := range now[i].dead.pages {
			before, after := then[i].dead.page(p), now[i].dead.page(p)
			for w := range after {
				for died := after[w] &^ before[w]; died != 0; died &= died - 1 {
					below := died&-died - 1
					if l.dead == nil {
						l.dead = l.dead.fork(l.set.Len())
					}
					l.dead.add(start + bits.OnesCount64(^before[w]&below))
				}
				start += bits.OnesCount64(^before[w])
			}
		}
	}
}

// find returns the position of an id that is not deleted.
func (l *level) find(id uint64) (position int, found bool) {
	if l.byID == nil {
		position, found = slices.BinarySearch(l.set.IDs, id)
	} else {
		position, found = slices.BinarySearchFunc(l.byID, id, func(p uint32, id uint64) int {
			switch other := l.set.IDs[p]; {
			case other < id:
				return -1
			case other > id:
				return 1
			}
			return 0
		})
		if found {
			position = int(l.byID[position])
		}
	}
	return position, found && !l.dead.has(position)
}

// publish makes the levels, which the caller owns, visible to readers. It first merges up to
// mostMerged entries, and starts a goroutine for larger merges. The caller holds the lock.
func (x *Index) publish(levels []level, mostMerged int) {
	levels = slices.DeleteFunc(levels, func(l level) bool { return l.live() == 0 && !x.isTaken(l) })
	first := 0 // index of the first level after those that are being merged
	for i, l := range levels {
		if x.isTaken(l) {
			first = i + 1
		}
	}
	for {
		from, to := nextMerge(levels, first, mostMerged)
		if from == to {
			break
		}
		levels = slices.Replace(levels, from, to, level{set: concat(levels[from:to])})
	}
	now := x.Snapshot()
	next := &Snapshot{width: now.width, maxK: now.maxK, definition: now.definition, levels: levels}
	for i := range levels {
		if levels[i].structure == nil {
			levels[i].build(x.options)
		}
		levels[i].start = next.positions
		next.positions += levels[i].set.Len()
	}
	x.current.Store(next)
	if from, to := nextMerge(levels, 0, x.mostInLevel); x.taken == nil && from < to {
		x.taken = levels[from:to]
		go x.merge(x.taken)
	}
}

// isTaken reports whether a goroutine is merging the level.
func (x *Index) isTaken(l level) bool {
	return slices.ContainsFunc(x.taken, func(t level) bool { return t.set == l.set })
}

// merge replaces the taken levels by one. It builds that level without the lock and in a single
// goroutine, so that the other processors are free for callers.
func (x *Index) merge(taken []level) {
	o := x.options
	o.workers = 1
	merged := level{set: concat(taken)}
	merged.build(o)
	if x.beforeSwap != nil {
		x.beforeSwap()
	}
	x.writer.Lock()
	defer x.writer.Unlock()
	levels := slices.Clone(x.Snapshot().levels)
	from := slices.IndexFunc(levels, x.isTaken)
	merged.carryDeletes(taken, levels[from:from+len(taken)])
	x.taken = nil
	x.publish(slices.Replace(levels, from, from+len(taken), merged), 0)
	if x.taken == nil {
		x.settled.Broadcast()
	}
}

// tombstones is a set of deleted positions. Pages are shared with earlier snapshots, and copied
// when they change. A nil pointer is the empty set.
type tombstones struct {
	pages []*tombstonePage
	own   []bool // pages that are not shared
	n     int
}

const tombstonePageBits = 4096

type tombstonePage [tombstonePageBits / 64]uint64

func (t *tombstones) len() int {
	if t == nil {
		return 0
	}
	return t.n
}

func (t *tombstones) has(i int) bool {
	if t == nil {
		return false
	}
	page := t.pages[i/tombstonePageBits]
	return page != nil && page[i%tombstonePageBits/64]>>(i%64)&1 != 0
}

// page returns a page, or a page of zeros if it does not exist.
func (t *tombstones) page(p int) *tombstonePage {
	if t == nil || t.pages[p] == nil {
		return &noTombstones
	}
	return t.pages[p]
}

var noTombstones tombstonePage

// fork returns a copy for the given number of positions. Positions can be added to it while readers
// use the original.
func (t *tombstones) fork(positions int) *tombstones {
	n := (positions + tombstonePageBits - 1) / tombstonePageBits
	fork := &tombstones{pages: make([]*tombstonePage, n), own: make([]bool, n), n: t.len()}
	if t != nil {
		copy(fork.pages, t.pages)
	}
	return fork
}

// add adds a position that is not yet in t.
func (t *tombstones) add(i int) {
	p := i / tombstonePageBits
	if !t.own[p] {
		page := new(tombstonePage)
		if t.pages[p] != nil {
			*page = *t.pages[p]
		}
		t.pages[p], t.own[p] = page, true
	}
	t.pages[p][i%tombstonePageBits/64] |= 1 << (i % 64)
	t.n++
}
