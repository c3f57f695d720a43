package join

import (
	"math/bits"

	"simhashkit/asm/scatter"
)

// combiner writes entries to many partitions side by side, some lines of the cache at a time and
// past the caches: written one by one, each entry would fetch a line of its partition.
type combiner struct {
	windows   []uint64
	positions []uint32
	starts    [1 << mostFirst]uint32  // of what this combiner writes, by partition
	ends      *[1 << mostFirst]uint32 // up to which it has
	lines     [1 << mostFirst]scatter.Line
}

// newCombiner returns a combiner for entries that go from at[partition] on, which it advances.
func newCombiner(windows []uint64, positions []uint32, at *[1 << mostFirst]uint32) *combiner {
	return &combiner{windows: windows, positions: positions, starts: *at, ends: at}
}

// add adds windows, turned to the left, of fingerprints from that position on. In its line an entry
// stands where it stands in a line of the partition.
func (c *combiner) add(windows []uint64, turn int, key firstKey, position uint32) {
	ends, lines := c.ends, &c.lines
	for i, x := range windows {
		x = bits.RotateLeft64(x, turn)
		partition := key.of(x)
		end, l := ends[partition], &lines[partition]
		l.Words[end%scatter.Entries], l.Numbers[end%scatter.Entries] = x, position+uint32(i)
		ends[partition] = end + 1
		if end%scatter.Entries == scatter.Entries-1 {
			c.write(partition, end+1-scatter.Entries)
		}
	}
}

// write writes a full line, which may have begun in another piece.
func (c *combiner) write(partition uint8, from uint32) {
	l := &c.lines[partition]
	if from < c.starts[partition] {
		c.writePart(l, c.starts[partition], from+scatter.Entries)
		return
	}
	scatter.Write((*[scatter.Entries]uint64)(c.windows[from:]), (*[scatter.Entries]uint32)(c.positions[from:]), l)
}

func (c *combiner) writePart(l *scatter.Line, from, to uint32) {
	for i := from; i < to; i++ {
		c.windows[i], c.positions[i] = l.Words[i%scatter.Entries], l.Numbers[i%scatter.Entries]
	}
}

// flush writes what is left.
func (c *combiner) flush() {
	for partition := range c.lines {
		end := c.ends[partition]
		c.writePart(&c.lines[partition], max(c.starts[partition], end-end%scatter.Entries), end)
	}
	scatter.Fence()
}
