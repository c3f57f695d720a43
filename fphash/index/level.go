package index

import "slices"

// level is a part of an index: a structure over a set that is its own, and what has been deleted of
// it. Snapshots share what does not differ.
type level struct {
	set       *Set
	structure Structure // nil before it is built
	byID      []uint32  // positions in ascending order of their ids; nil where ids ascend
	dead      *tombstones
	start     int // position of its first fingerprint in the snapshot
}

// growth is how many times as large a level is as the next, at least. A larger one would have fewer
// fingerprints built anew on insertion, and queries ask more levels.
const growth = 4

// smallLevel is up to how many fingerprints a level is scanned.
const smallLevel = 2048

// live returns the number of fingerprints that are not deleted.
func (l *level) live() int { return l.set.Len() - l.dead.len() }

// mergeLevels returns levels that are built and large enough for their place. The levels before
// those that are merged stay as they are; all are in order of insertion.
func mergeLevels(levels []level, o Options) ([]level, error) {
	for i := range levels {
		if 2*levels[i].dead.len() > levels[i].set.Len() {
			levels[i] = level{set: concat(levels[i : i+1])}
		}
	}
	levels = slices.DeleteFunc(levels, func(l level) bool { return l.set.Len() == 0 })
	for i := len(levels) - 1; i > 0; {
		from, size := i, levels[i].live()
		for from > 0 && levels[from-1].live() < growth*size {
			from--
			size += levels[from].live()
		}
		if from < i {
			levels[from] = level{set: concat(levels[from : i+1])}
			levels = slices.Delete(levels, from+1, i+1)
		}
		i = from - 1
	}
	for i := range levels {
		if levels[i].structure == nil {
			if err := levels[i].build(o); err != nil {
				return nil, err
			}
		}
	}
	return levels, nil
}

// concat returns a set of its own of all that is not deleted.
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

// build makes the level ready to be searched.
func (l *level) build(o Options) (err error) {
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
	if l.set.Len() <= smallLevel && !o.scanless {
		l.structure = newScan(l.set)
		return nil
	}
	l.structure, err = build(l.set, o)
	return err
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

// tombstones are the positions that are deleted. Pages are shared with the snapshots before, and
// copied when they change. Nil has none.
type tombstones struct {
	pages []*tombstonePage
	own   []bool // pages that are of this one alone
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

// fork returns tombstones of so many positions that may be added to while readers have these.
func (t *tombstones) fork(positions int) *tombstones {
	n := (positions + tombstonePageBits - 1) / tombstonePageBits
	fork := &tombstones{pages: make([]*tombstonePage, n), own: make([]bool, n), n: t.len()}
	if t != nil {
		copy(fork.pages, t.pages)
	}
	return fork
}

// add adds a position that is not there.
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
