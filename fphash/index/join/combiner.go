package join

// combiner writes entries to many places side by side, a cache line at a time: written one by one,
// each would fetch a line of its partition, and find it gone from the cache the next time.
type combiner struct {
	windows   []uint64
	positions []uint32
	starts    [1 << mostFirst]int // of what this combiner writes, by partition
	ends      *[1 << mostFirst]int
	lines     [1 << mostFirst]line
}

const lineEntries = 8

// line has the entries that were not written yet, each where it stands in a line of the partition.
type line struct {
	windows   [lineEntries]uint64
	positions [lineEntries]uint32
}

// newCombiner returns a combiner for entries that go from at[partition] on, which it advances.
func newCombiner(windows []uint64, positions []uint32, at *[1 << mostFirst]int) *combiner {
	return &combiner{windows: windows, positions: positions, starts: *at, ends: at}
}

func (c *combiner) put(partition uint8, window uint64, position uint32) {
	end, l := c.ends[partition], &c.lines[partition]
	l.windows[end%lineEntries], l.positions[end%lineEntries] = window, position
	c.ends[partition] = end + 1
	if end%lineEntries == lineEntries-1 {
		c.write(partition, l, end-(lineEntries-1))
	}
}

// write writes a full line, which may have begun in another piece.
func (c *combiner) write(partition uint8, l *line, from int) {
	if from >= c.starts[partition] {
		*(*[lineEntries]uint64)(c.windows[from:]) = l.windows
		*(*[lineEntries]uint32)(c.positions[from:]) = l.positions
		return
	}
	c.writePart(l, c.starts[partition], from+lineEntries)
}

func (c *combiner) writePart(l *line, from, to int) {
	for i := from; i < to; i++ {
		c.windows[i], c.positions[i] = l.windows[i%lineEntries], l.positions[i%lineEntries]
	}
}

// flush writes what is left.
func (c *combiner) flush() {
	for partition := range c.lines {
		end := c.ends[partition]
		c.writePart(&c.lines[partition], max(c.starts[partition], end-end%lineEntries), end)
	}
}
