package search

import (
	"cmp"
	"context"
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"simhashkit/internal/hugepages"
)

// Table holds the arrays of a table. It has an entry for every fingerprint, sorted by bucket. An
// entry consists of the position of the fingerprint and of its screen, which rules out most
// unrelated fingerprints. The fingerprints and the design determine the arrays.
type Table struct {
	Starts    []uint32 // by bucket: its first entry; the last element is the number of entries
	Screens   []uint32 // lower halves of the windows
	Positions []uint32
}

// table finds the fingerprints whose keys differ in few bits from that of a query. The key is a
// block of the fingerprint. The window of a fingerprint has 64 bits, or all bits if there are fewer:
// bits of the key on top, and below them as many of the bits that follow the block as fit. The top
// bits of a window, which are not stored, select the bucket; a bucket has about 8 entries.
type table struct {
	Table
	bits      int // width of the fingerprints
	from, end int // bits of the block
	key       int // number of bits of the key in the window
	shift     int // right shift of a window that leaves its bucket
}

// leastKey is the number of key bits in the window of a wide fingerprint with a long key. The
// bucket has fewer bits, so no more are necessary.
const leastKey = 32

// newTables returns the tables of a design, without arrays.
func newTables(set Fingerprints, design Design) []table {
	list, from := make([]table, design.Blocks), 0
	for i := range list {
		t := &list[i]
		width := (set.Bits - from + design.Blocks - i - 1) / (design.Blocks - i) // the first blocks are the wider ones
		t.bits, t.from, t.end = set.Bits, from, from+width
		t.key = max(min(width, leastKey), t.windowBits()-(set.Bits-width))
		t.shift = t.windowBits() - min(t.key, directoryBits(set.len()))
		from = t.end
	}
	return list
}

func (t *table) windowBits() int { return min(t.bits, 64) }

func (t *table) bucketBits() int { return t.windowBits() - t.shift }

func (t *table) buckets() int { return 1 << t.bucketBits() }

// window returns the window of a fingerprint.
func (t *table) window(words []uint64) uint64 {
	if t.bits == 64 {
		return bits.RotateLeft64(words[0], -t.end)
	}
	below := t.windowBits() - t.key
	return t.ring(words, t.end-t.key, t.key)<<below | t.ring(words, t.end%t.bits, below)
}

// ring returns n bits of a fingerprint, at most 64, starting at a bit. The highest bit of the
// fingerprint is followed by its lowest.
func (t *table) ring(words []uint64, from, n int) uint64 {
	if n > t.bits-from {
		low := t.bits - from
		return t.ring(words, from, low) | t.ring(words, 0, n-low)<<low
	}
	x := words[from/64] >> (from % 64)
	if from%64+n > 64 {
		x |= words[from/64+1] << (64 - from%64)
	}
	return x & (1<<n - 1)
}

// keyDistance returns the number of bits in which the keys of two fingerprints differ.
func (t *table) keyDistance(a, b []uint64) (n int) {
	for w := t.from / 64; w*64 < t.end; w++ {
		x := a[w] ^ b[w]
		if low := t.from - w*64; low > 0 {
			x &= ^uint64(0) << low
		}
		if high := t.end - w*64; high < 64 {
			x &= 1<<high - 1
		}
		n += bits.OnesCount64(x)
	}
	return n
}

// directoryBits returns the number of bits of a bucket for n fingerprints, if the key has as many.
// It gives 8 to 16 entries per bucket, whose screens fit in one cache line, and half a byte of
// directory per entry.
func directoryBits(n int) int { return min(max(bits.Len(uint(n))-4, 0), mostDirectoryBits) }

// mostDirectoryBits is the maximum number of bits of a bucket. A builder stores 16 of them in
// addition to the partition.
const mostDirectoryBits = partitionBits + 16

// Bytes returns the memory of the tables, accurate to some kB.
func (s *Structure) Bytes() int64 {
	return 4*int64(s.numbers()) + int64(len(s.tables))*int64(unsafe.Sizeof(table{}))
}

// numbers returns the number of elements of the arrays of all tables.
func (s *Structure) numbers() (n int) {
	for i := range s.tables {
		n += s.tables[i].buckets() + 1 + 2*s.set.len() // a screen and a position for each
	}
	return n
}

// build fills the tables. Their arrays are parts of a single array, so that more of the memory is
// in huge pages.
func (s *Structure) build(ctx context.Context, workers int) error {
	all := hugepages.Make[uint32](s.numbers())
	take := func(n int) (part []uint32) {
		part, all = all[:n:n], all[n:]
		return part
	}
	b := newBuilder(s.set, workers)
	for i := range s.tables {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		t := &s.tables[i]
		t.Table = Table{take(t.buckets() + 1), take(s.set.len()), take(s.set.len())}
		b.build(t)
	}
	return nil
}

// builder builds tables one after the other. The first pass distributes the entries over partitions
// that fit into the cache, and the second pass sorts each partition by bucket. All tables use the
// same buffers.
type builder struct {
	set     Fingerprints
	workers int

	partitions int      // number of bits of a bucket that select its partition
	counts     [][]int  // by worker and partition: number of entries, then place of the next
	records    []uint64 // screen in the upper half, position in the lower half
	lower      []uint16 // by entry: bits of its bucket below those of the partition
}

// partitionBits is the maximum number of bits of a partition. With more partitions, cache lines
// would be evicted before they are full.
const partitionBits = 10

// partitionEntries is the approximate size of a partition that can be sorted in the cache.
const partitionEntries = 1 << 16

func newBuilder(set Fingerprints, workers int) *builder {
	b := &builder{set: set, workers: max(1, min(cmp.Or(workers, runtime.GOMAXPROCS(0)), set.len()/partitionEntries))}
	b.counts = make([][]int, b.workers)
	for i := range b.counts {
		b.counts[i] = make([]int, 1<<partitionBits)
	}
	return b
}

func (b *builder) build(t *table) {
	width := t.bucketBits()
	b.partitions = min(bits.Len(uint(b.set.len()/partitionEntries)), partitionBits, width)
	b.partitions = max(b.partitions, width-16)
	b.inParallel(func(worker, from, to int) { b.count(t, worker, from, to) })
	ends := b.places()
	entries := b.set.len()
	if b.records == nil {
		b.records, b.lower = hugepages.Make[uint64](entries), hugepages.Make[uint16](entries)
	}
	b.inParallel(func(worker, from, to int) { b.spread(t, worker, from, to) })
	t.Starts[1<<width] = uint32(entries)
	b.order(t, ends)
}

// inParallel calls do once for each worker, with that worker's share of the fingerprints.
func (b *builder) inParallel(do func(worker, from, to int)) {
	n := int64(b.set.len())
	from := func(i int) int { return int(n * int64(i) / int64(b.workers)) }
	b.eachWorker(func(i int) { do(i, from(i), from(i+1)) })
}

// eachWorker calls do in a goroutine for each worker. A single worker needs no goroutine, so the
// caller need not wait for the scheduler.
func (b *builder) eachWorker(do func(worker int)) {
	if b.workers == 1 {
		do(0)
		return
	}
	var workers sync.WaitGroup
	for i := range b.workers {
		workers.Go(func() { do(i) })
	}
	workers.Wait()
}

// places converts the numbers of entries to the place of each worker's first entry, and returns the
// end of each partition.
func (b *builder) places() (ends []int) {
	ends, at := make([]int, 1<<b.partitions), 0
	for p := range ends {
		for _, counts := range b.counts {
			counts[p], at = at, at+counts[p]
		}
		ends[p] = at
	}
	return ends
}

// count counts the entries of fingerprints by partition.
func (b *builder) count(t *table, worker, from, to int) {
	counts, w := b.counts[worker], b.set.stride()
	clear(counts)
	shift := t.windowBits() - b.partitions
	for i := from; i < to; i++ {
		counts[t.window(b.set.Words[i*w:i*w+w])>>shift]++
	}
}

// spread writes the entries of fingerprints to their partitions.
func (b *builder) spread(t *table, worker, from, to int) {
	next, w := b.counts[worker], b.set.stride()
	shift := t.windowBits() - b.partitions
	for i := from; i < to; i++ {
		x := t.window(b.set.Words[i*w : i*w+w])
		at := next[x>>shift]
		next[x>>shift]++
		b.records[at], b.lower[at] = x<<32|uint64(i), uint16(x>>t.shift)
	}
}

// order sorts the entries of each partition by bucket.
func (b *builder) order(t *table, ends []int) {
	var next atomic.Int64
	b.eachWorker(func(int) {
		places := make([]uint32, 1<<(t.bucketBits()-b.partitions))
		for p := int(next.Add(1) - 1); p < len(ends); p = int(next.Add(1) - 1) {
			from := 0
			if p > 0 {
				from = ends[p-1]
			}
			b.orderPartition(t, p, from, ends[p], places)
		}
	})
}

func (b *builder) orderPartition(t *table, partition, from, to int, places []uint32) {
	clear(places)
	mask := uint16(len(places) - 1)
	for _, bucket := range b.lower[from:to] {
		places[bucket&mask]++
	}
	at := uint32(from)
	starts := t.Starts[partition*len(places):][:len(places)]
	for i, n := range places {
		starts[i], places[i] = at, at
		at += n
	}
	for i, record := range b.records[from:to] {
		bucket := b.lower[from+i] & mask
		t.Screens[places[bucket]], t.Positions[places[bucket]] = uint32(record>>32), uint32(record)
		places[bucket]++
	}
}
