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

// partitions holds all fingerprints of a join, partitioned by the upper key bits of one block at a
// time. An entry consists of the position of the fingerprint and of a 64-bit window of it, which
// starts at the end of the block and wraps around. Positions ascend within a partition.
type partitions struct {
	join      *Join
	plan      *Plan
	windows   []uint64
	positions []uint32
	ends      []int // end of each partition

	sides []side // sorted partitions, if keys may differ

	group func(position uint32) uint32 // group of a position; nil if pairs are wanted
	order []int                        // order of the tables
	table int                          // table of the current partitions

	pieces []piece
	counts [][][1 << mostFirst]uint32 // by block and piece: sizes of partitions, then ends so far
}

func newPartitions(j *Join, p *Plan, group func(position uint32) uint32) *partitions {
	n := j.Set.Len()
	return &partitions{join: j, plan: p, group: group, order: make([]int, len(p.tables)), windows: hugepages.Make[uint64](n), positions: hugepages.Make[uint32](n), ends: make([]int, 1<<p.first)}
}

// fill partitions the fingerprints for the n-th table.
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

// orderTables orders the tables. For groups, tables with the most uneven partitions come first, so
// that later tables can skip members of known groups.
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

// countAll counts the entries of each piece in each partition, for all blocks.
func (t *partitions) countAll(ctx context.Context, workers int) {
	for i, n := 0, t.join.Set.Len(); i < workers; i++ {
		t.pieces = append(t.pieces, piece{share(i, n, workers), share(i+1, n, workers)})
	}
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

// piece is the fingerprints at the positions from ≤ i < to.
type piece struct{ from, to int }

// share returns i*n/of without overflowing.
func share(i, n, of int) int { return int(int64(i) * int64(n) / int64(of)) }

func inParallel(n int, f func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { f(i) })
	}
	all.Wait()
}

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

// eachWindows calls f with batches of the windows of a piece for block b. f must rotate them left
// by turn. position is the position of the first.
func (t *partitions) eachWindows(b *table, p piece, f func(windows []uint64, turn int, position uint32)) {
	set := t.join.Set
	if set.Bits == 64 && len(b.window) == 1 {
		f(set.Words[p.from:p.to], b.window[0].turn, uint32(p.from))
		return
	}
	var windows [windowsTogether]uint64
	for ; p.from < p.to; p.from += windowsTogether {
		n := min(len(windows), p.to-p.from)
		b.windowsOf(windows[:n], set, p.from)
		f(windows[:n], 0, uint32(p.from))
	}
}

// windowsTogether is the number of fingerprints whose windows are computed for all blocks while the
// fingerprints are in the cache.
const windowsTogether = 1 << 10

// firstKey extracts the partition from a window.
type firstKey struct{ shift, mask uint }

func (t *partitions) keys() firstKey {
	first := t.plan.first
	return firstKey{(uint(windowBits(t.join.Set.Bits)) - first) & 63, 1<<first - 1}
}

func (k firstKey) of(window uint64) uint8 { return uint8(window >> (k.shift & 63) & uint64(k.mask)) }

// task returns the task of searching a partition.
func (t *partitions) task(partition int) task {
	from := 0
	if partition > 0 {
		from = t.ends[partition-1]
	}
	to := t.ends[partition]
	return task{join: t.join, plan: t.plan, number: t.table, windows: t.windows[from:to], positions: t.positions[from:to]}
}

// stage returns the stage that searches all partitions of the n-th table.
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

// combiner writes entries to many partitions. It collects a cache line for each partition and
// writes it past the caches, because single writes would each fetch a cache line of the partition.
type combiner struct {
	windows   []uint64
	positions []uint32
	starts    [1 << mostFirst]uint32  // by partition: start of the entries of this combiner
	ends      *[1 << mostFirst]uint32 // by partition: end of its entries so far
	lines     [1 << mostFirst]scatter.Line
}

// lineEntries is the number of entries of a scatter.Line.
const lineEntries = 16

// newCombiner returns a combiner that writes entries from at[partition] on, and advances at.
func newCombiner(windows []uint64, positions []uint32, at *[1 << mostFirst]uint32) *combiner {
	return &combiner{windows: windows, positions: positions, starts: *at, ends: at}
}

// add adds windows, to be rotated left, of fingerprints from the given position on. An entry has
// the same place in its line as in the partition.
func (c *combiner) add(windows []uint64, turn int, key firstKey, position uint32) {
	ends, lines := c.ends, &c.lines
	for i, x := range windows {
		x = bits.RotateLeft64(x, turn)
		partition := key.of(x)
		end, l := ends[partition], &lines[partition]
		l.Words[end%lineEntries], l.Numbers[end%lineEntries] = x, position+uint32(i)
		ends[partition] = end + 1
		if end%lineEntries == lineEntries-1 {
			c.write(partition, end+1-lineEntries)
		}
	}
}

// write writes a full line. Its first entries may belong to another piece.
func (c *combiner) write(partition uint8, from uint32) {
	l := &c.lines[partition]
	if from < c.starts[partition] {
		c.writePart(l, c.starts[partition], from+lineEntries)
		return
	}
	scatter.Write((*[lineEntries]uint64)(c.windows[from:]), (*[lineEntries]uint32)(c.positions[from:]), l)
}

func (c *combiner) writePart(l *scatter.Line, from, to uint32) {
	for i := from; i < to; i++ {
		c.windows[i], c.positions[i] = l.Words[i%lineEntries], l.Numbers[i%lineEntries]
	}
}

// flush writes the lines that are not full.
func (c *combiner) flush() {
	for partition := range c.lines {
		end := c.ends[partition]
		c.writePart(&c.lines[partition], max(c.starts[partition], end-end%lineEntries), end)
	}
	scatter.Fence()
}

// table is one way to group fingerprints: it compares those whose keys differ in at most errors
// bits. The key is the highest bits of the window.
type table struct {
	end, width int // of its block: its highest bit + 1, and its width
	budget     int // pairs of this table differ in fewer than budget bits of the block

	window window

	errors  int // maximum number of differing bits in the key
	screens int // maximum number in the key and the 32 bits below it
	windows int // maximum number in the window
}

// The blocks of a fingerprint form a ring. Each has a budget, and the budgets add up to k+1, so two
// fingerprints within k differ in fewer bits than the sum of all budgets. Then there is a starting
// block with this property: the fingerprints differ in fewer bits of that block than its budget, in
// fewer bits of this and the next block than their two budgets, and so on around the ring. It is
// the block before which the number of differing bits minus the budgets is largest. (The cycle
// lemma: Dvoretzky, Motzkin, A Problem of Arrangements, 1947. For Hamming distances: Qin, Xiao,
// Pigeonring, VLDB 2018.)
//
// With budgets of 1 this is the pigeonhole principle: a pair agrees in one of k+1 blocks. With
// larger budgets, fewer and wider blocks are enough, and a pair differs in few bits of one of them.

// blockTables returns the tables for pairs within k of fingerprints of the given width, cut into
// the given number of blocks, with keys of d bits.
func blockTables(width, k, blocks, d int) []table {
	tables := make([]table, blocks)
	for i := range tables {
		t := &tables[i]
		t.end = width - share(i, width, blocks)
		t.width = t.end - (width - share(i+1, width, blocks))
		t.budget = share(i+1, k+1, blocks) - share(i, k+1, blocks)
	}
	for i := range tables {
		t := &tables[i]
		t.window = blockWindow(t.end, width)
		t.errors = min(t.budget-1, d)
		t.screens = limitOf(tables, i, k, d+screenBits)
		t.windows = limitOf(tables, i, k, windowBits(width))
	}
	return tables
}

// limitOf returns the maximum number of differing bits of a pair of table i among the n bits from
// its block on.
func limitOf(tables []table, i, k, n int) int {
	limit := -1
	for ; n > 0 && limit < k; i = (i + 1) % len(tables) {
		limit += tables[i].budget
		n -= tables[i].width
	}
	return min(limit, k)
}

// windowBits returns the width of a window. Its bits are the lowest ones.
func windowBits(width int) int { return min(width, 64) }

// window selects up to 64 bits of a fingerprint, without repeats. For a block, these are the bits
// below the end of the block; the lowest bit of the fingerprint is followed by the highest. Sampled
// tables draw the bits.
type window []bitsOfWord

// bitsOfWord selects bits of one word of a fingerprint that have the same rotation in a window.
type bitsOfWord struct {
	word, turn int
	mask       uint64 // after the rotation
}

// blockWindow returns the window of the block that ends at a bit.
func blockWindow(end, width int) (w window) {
	for lane := range windowBits(width) {
		bit := (end - windowBits(width) + lane + width) % width
		p := bitsOfWord{word: bit / 64, turn: (lane - bit + 64*width) % 64}
		i := slices.IndexFunc(w, func(q bitsOfWord) bool { return q.word == p.word && q.turn == p.turn })
		if i < 0 {
			i, w = len(w), append(w, p)
		}
		w[i].mask |= 1 << lane
	}
	return w
}

// of returns the window of a fingerprint, or of the difference of two.
func (w window) of(words []uint64) (x uint64) {
	for _, p := range w {
		x |= bits.RotateLeft64(words[p.word], p.turn) & p.mask
	}
	return x
}

// windowsOf stores the windows of the fingerprints of a set from position from on. Computing them
// piece by piece is several times faster than fingerprint by fingerprint.
func (t *table) windowsOf(dst []uint64, set *index.Set, from int) {
	clear(dst)
	stride := set.Stride()
	for _, p := range t.window {
		words := set.Words[from*stride+p.word:]
		turn, mask := p.turn, p.mask
		for i, at := 0, 0; i < len(dst) && at < len(words); i, at = i+1, at+stride {
			dst[i] |= bits.RotateLeft64(words[at], turn) & mask
		}
	}
}

// meets reports whether a table with keys of d bits compares two fingerprints with the given
// difference.
func (t *table) meets(difference []uint64, width, d int) bool {
	x := t.window.of(difference) << (64 - windowBits(width))
	return bits.OnesCount64(x>>(64-d)) <= t.errors && bits.OnesCount64(x>>max(0, 64-d-screenBits)) <= t.screens && bits.OnesCount64(x) <= t.windows
}
