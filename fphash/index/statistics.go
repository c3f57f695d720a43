package index

import "slices"

// Statistics says what an index is made of.
type Statistics struct {
	Entries int // not deleted
	Deleted int // that still take up memory
	Bytes   int64
	Levels  []struct { // the oldest and largest first
		Structure     string
		Entries       int
		Deleted       int
		Bytes         int64
		LargestBucket int // entries; 0 where there are no buckets
	}
}

// Statistics returns what the snapshot is made of. Cost: a pass over the directories of all tables.
func (s *Snapshot) Statistics() (all Statistics) {
	all.Levels = slices.Grow(all.Levels, len(s.levels))[:len(s.levels)]
	for i := range s.levels {
		l, one := &s.levels[i], &all.Levels[i]
		one.Structure, one.Entries, one.Deleted, one.Bytes = l.structure.Name(), l.live(), l.dead.len(), l.bytes()
		if t, ok := l.structure.(*tables); ok {
			one.LargestBucket = t.largest()
		}
		all.Entries, all.Deleted, all.Bytes = all.Entries+one.Entries, all.Deleted+one.Deleted, all.Bytes+one.Bytes
	}
	return all
}
