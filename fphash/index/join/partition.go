package join

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
	"sync"

	"simhashkit/asm/scatter"
	"simhashkit/fphash/index"
	"simhashkit/internal/hugepages"
)

// partitions holds all fingerprints of a join, partitioned by the upper bits of their keys in one
// block at a time. An entry is a window of 64 bits of the fingerprint, starting at the end of the
// block and wrapping around, and the position of the fingerprint. Positions ascend within a
// partition.
type partitions struct {
	join      *Join
	plan      *Plan
	windows   []uint64
	positions []uint32
	ends      []int // of each partition

	sides []side // the partitions in order of their keys, where keys may differ

	group func(position uint32) uint32 // where groups are wanted
	order []int                        // of the tables
	table int                          // by which they are partitioned

	pieces []piece
	counts [][][1 << mostFirst]uint32 // by block and piece: of each partition, and then where it begins
}

func newPartitions(j *Join, p *Plan, group func(position uint32) uint32) *partitions {
	n := j.len()
	return &partitions{join: j, plan: p, group: group, order: make([]int, len(p.tables)), windows: hugepages.Make[uint64](n), positions: hugepages.Make[uint32](n), ends: make([]int, 1<<p.first)}
}

// fill partitions by the n-th table.
func (t *partitions) fill(ctx context.Context, workers, n int) error {
	if t.counts == nil {
		t.countAll(ctx, workers)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if n == 0 {
		t.orderTables()
	}
	t.table = t.order[n]
	counts := t.counts[t.table]
	at := uint32(0)
	for key := range t.ends {
		for p := range counts {
			counts[p][key], at = at, at+counts[p][key]
		}
		t.ends[key] = int(at)
	}
	inParallel(len(t.pieces), func(p int) { t.scatter(&counts[p], &t.plan.tables[t.table], t.pieces[p]) })
	if t.plan.Errors > 0 {
		t.sortAll(ctx, workers)
	}
	return nil
}

// orderTables orders the tables. For groups, the most uneven ones come first: the groups they find
// need not be compared again by later ones.
func (t *partitions) orderTables() {
	uneven := make([]float64, len(t.plan.tables)) // sum of squares
	for i := range t.order {
		t.order[i] = i
		for key := range t.ends {
			n := 0.0
			for p := range t.counts[i] {
				n += float64(t.counts[i][p][key])
			}
			uneven[i] += n * n
		}
	}
	if t.group != nil {
		slices.SortStableFunc(t.order, func(a, b int) int { return cmp.Compare(uneven[b], uneven[a]) })
	}
}

// countAll counts the entries that each piece has for each partition, by all blocks.
func (t *partitions) countAll(ctx context.Context, workers int) {
	t.cut(workers)
	for range t.plan.tables {
		t.counts = append(t.counts, make([][1 << mostFirst]uint32, len(t.pieces)))
	}
	inParallel(len(t.pieces), func(p int) {
		for from := t.pieces[p]; from.from < from.to && ctx.Err() == nil; from.from += windowsTogether {
			some := from
			some.to = min(from.to, from.from+windowsTogether)
			for i := range t.plan.tables {
				t.count(&t.counts[i][p], &t.plan.tables[i], some)
			}
		}
	})
}

// piece is a range of one of the sets.
type piece struct {
	set      *index.Set
	from, to int
	position uint32 // of the first
}

// cut cuts the sets into pieces, one of each for each worker.
func (t *partitions) cut(workers int) {
	add := func(set *index.Set, position int) {
		n := set.Len()
		for i := range workers {
			from, to := share(i, n, workers), share(i+1, n, workers)
			t.pieces = append(t.pieces, piece{set, from, to, uint32(position + from)})
		}
	}
	add(t.join.Set, 0)
	if t.join.Against != nil {
		add(t.join.Against, t.join.Set.Len())
	}
}

// share returns i*n/of without overflowing.
func share(i, n, of int) int { return int(int64(i) * int64(n) / int64(of)) }

func inParallel(n int, f func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { f(i) })
	}
	all.Wait()
}

// count counts the entries of each partition.
func (t *partitions) count(counts *[1 << mostFirst]uint32, b *table, p piece) {
	key := t.keys()
	t.eachWindows(b, p, func(windows []uint64, turn int, _ uint32) {
		for _, x := range windows {
			counts[key.of(bits.RotateLeft64(x, turn))]++
		}
	})
}

// scatter writes the entries of a piece to their partitions.
func (t *partitions) scatter(at *[1 << mostFirst]uint32, b *table, p piece) {
	key := t.keys()
	c := newCombiner(t.windows, t.positions, at)
	t.eachWindows(b, p, func(windows []uint64, turn int, position uint32) {
		c.add(windows, turn, key, position)
	})
	c.flush()
}

// eachWindows calls f with batches of windows of a piece by block b. f must rotate them left by
// turn; position is that of the first.
func (t *partitions) eachWindows(b *table, p piece, f func(windows []uint64, turn int, position uint32)) {
	if p.set.Bits == 64 && b.drawn == nil {
		f(p.set.Words[p.from:p.to], 64-b.end, p.position)
		return
	}
	var windows [windowsTogether]uint64
	for p.from < p.to {
		n := min(len(windows), p.to-p.from)
		b.windowsOf(windows[:n], p.set, p.from)
		f(windows[:n], 0, p.position)
		p.from, p.position = p.from+n, p.position+uint32(n)
	}
}

// windowsTogether is the number of fingerprints that are processed for all blocks while they are in
// the cache.
const windowsTogether = 1 << 10

// firstKey extracts the partition from a window.
type firstKey struct{ shift, mask uint }

func (t *partitions) keys() firstKey {
	first := t.plan.first
	return firstKey{(windowBits(t.join.Set.Bits) - first) & 63, 1<<first - 1}
}

func (k firstKey) of(window uint64) uint8 { return uint8(window >> (k.shift & 63) & uint64(k.mask)) }

// task returns the search of a partition.
func (t *partitions) task(partition int) task {
	from := 0
	if partition > 0 {
		from = t.ends[partition-1]
	}
	to := t.ends[partition]
	k := task{join: t.join, plan: t.plan, number: t.table, windows: t.windows[from:to], positions: t.positions[from:to], second: uint32(len(t.windows))}
	if t.join.Against != nil {
		k.second = uint32(t.join.Set.Len())
	}
	return k
}

// stage is the search of all partitions by the n-th table.
func (t *partitions) stage(n int) stage {
	var masks []uint32
	return stage{
		prepare: func(ctx context.Context, workers int) error {
			err := t.fill(ctx, workers, n)
			masks = errorMasks(uint(t.plan.KeyBits), t.plan.tables[t.table].errors)
			return err
		},
		parts: 1 << t.plan.first,
		run: func(w *worker, part int, emit sink) error {
			if t.plan.Errors > 0 {
				w.searchNear(t, part, masks, emit)
			} else {
				w.search(t.task(part), emit)
			}
			return nil
		},
	}
}

// combiner writes entries to many partitions, a few cache lines at a time and bypassing the caches:
// single writes would fetch a cache line of the partition each.
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

// add adds windows, rotated left, of fingerprints from that position on. An entry has the same
// place in its line as in the partition.
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
