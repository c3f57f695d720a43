package index

// Statistics says what an index is made of.
type Statistics struct {
	Entries int // not deleted
	Deleted int // that still take up memory
	Bytes   int64
	Levels  []LevelStatistics // the oldest and largest first
}

// LevelStatistics says what a level is made of.
type LevelStatistics struct {
	Structure     string
	Entries       int
	Deleted       int
	Bytes         int64
	LargestBucket int // entries; 0 where there are no buckets
}

// Statistics returns what the snapshot is made of. Cost: a pass over the directories of all tables.
func (s *Snapshot) Statistics() (all Statistics) {
	for i := range s.levels {
		l := &s.levels[i]
		one := LevelStatistics{Structure: l.structure.Name(), Entries: l.live(), Deleted: l.dead.len(), Bytes: l.bytes()}
		if t, ok := l.structure.(*tables); ok {
			one.LargestBucket = t.largest()
		}
		all.Entries, all.Deleted, all.Bytes = all.Entries+one.Entries, all.Deleted+one.Deleted, all.Bytes+one.Bytes
		all.Levels = append(all.Levels, one)
	}
	return all
}
