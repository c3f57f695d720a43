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
// block of the fingerprint. The window of a fingerprint has 64 bits, or all bits if there are
// fewer: bits of the key on top, and below them as many of the bits that follow the block as fit.
// The top bits of a window, which are not stored, select the bucket; a bucket has about 8 entries.
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
	for i := range s.tables {
		t := &s.tables[i]
		t.Table = Table{take(t.buckets() + 1), take(s.set.len()), take(s.set.len())}
	}
	var next atomic.Int64
	var running sync.WaitGroup
	for range min(cmp.Or(workers, runtime.GOMAXPROCS(0)), len(s.tables)) {
		running.Go(func() {
			b := newBuilder(s.set)
			for i := next.Add(1) - 1; i < int64(len(s.tables)) && ctx.Err() == nil; i = next.Add(1) - 1 {
				b.build(&s.tables[i])
			}
		})
	}
	running.Wait()
	return context.Cause(ctx)
}

// builder builds tables one after the other, with the same buffers. The first pass distributes the
// entries over partitions that fit into the cache, and the second pass sorts each partition by
// bucket.
type builder struct {
	set Fingerprints

	partitions int      // number of bits of a bucket that select its partition
	records    []uint64 // screen in the upper half, position in the lower half
	lower      []uint16 // by entry: bits of its bucket below those of the partition
}

// partitionBits is the maximum number of bits of a partition. With more partitions, cache lines
// would be evicted before they are full.
const partitionBits = 10

// partitionEntries is the approximate size of a partition that can be sorted in the cache.
const partitionEntries = 1 << 16

func newBuilder(set Fingerprints) *builder {
	return &builder{set: set, records: hugepages.Make[uint64](set.len()), lower: hugepages.Make[uint16](set.len())}
}

func (b *builder) build(t *table) {
	width, entries, w := t.bucketBits(), b.set.len(), b.set.stride()
	b.partitions = min(bits.Len(uint(entries/partitionEntries)), partitionBits, width)
	b.partitions = max(b.partitions, width-16)
	shift := t.windowBits() - b.partitions
	next := make([]int, 1<<b.partitions) // by partition: number of entries, then place of the next
	for i := range entries {
		next[t.window(b.set.Words[i*w:i*w+w])>>shift]++
	}
	at := 0
	for p, n := range next {
		next[p] = at
		at += n
	}
	for i := range entries {
		x := t.window(b.set.Words[i*w : i*w+w])
		at := next[x>>shift]
		next[x>>shift]++
		b.records[at], b.lower[at] = x<<32|uint64(i), uint16(x>>t.shift)
	}
	t.Starts[1<<width] = uint32(entries)
	places, from := make([]uint32, 1<<(width-b.partitions)), 0
	for p, to := range next {
		b.orderPartition(t, p, from, to, places)
		from = to
	}
}

// orderPartition sorts the entries of a partition by bucket.
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
