package index

import (
	"context"
	"math/bits"
	"sync"
	"sync/atomic"
	"unsafe"

	"simhashkit/internal/hugepages"
)

// tables is the structure with permuted tables. Each table has the fingerprints sorted by one of
// the keys of a design, and a query is compared only with the fingerprints in the bucket of its
// key.
type tables struct {
	scan   *scan
	design Design
	list   []table
}

// table has an entry for every fingerprint, sorted by bucket. The bucket is the top bits of the
// fingerprint's window, which are not stored; a bucket has about 8 entries. An entry consists of
// the position of the fingerprint and of the lower half of its window, the screen, which rules out
// most unrelated fingerprints.
type table struct {
	window    window
	shift     int      // right shift of a window that leaves its bucket
	starts    []uint32 // by bucket: its first entry; the last element is the number of entries
	screens   []uint32
	positions []uint32

	keyFrom int      // index of the first word with bits of the key
	keyMask []uint64 // mask of the key, from that word to the last word with bits of the key
}

// mostProbes is the maximum number of buckets that a query looks up. If keys may have many errors,
// a query may need more; then it scans.
const mostProbes = 1 << 12

func newTables(ctx context.Context, set *Set, design Design, workers int) (*tables, error) {
	t, err := planTables(set, design)
	if err != nil {
		return nil, err
	}
	t.allocate()
	b := newBuilder(set, workers)
	for i := range t.list {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		b.build(&t.list[i])
	}
	return t, nil
}

// planTables returns tables without arrays. Their sizes are set, so Bytes can be called.
func planTables(set *Set, design Design) (*tables, error) {
	if err := design.check(set.Bits); err != nil {
		return nil, err
	}
	t := &tables{scan: newScan(set), design: design}
	keys := design.keys(set.Bits)
	t.list = make([]table, len(keys))
	for i, key := range keys {
		t.list[i] = newTable(key, set)
	}
	return t, nil
}

// allocate makes the arrays of all tables as parts of a single array, so that more of the memory is
// in huge pages.
func (t *tables) allocate() {
	all, n := hugepages.Make[uint32](t.numbers()), t.scan.set.Len()
	take := func(n int) (part []uint32) {
		part, all = all[:n:n], all[n:]
		return part
	}
	for i := range t.list {
		x := &t.list[i]
		x.starts, x.screens, x.positions = take(x.buckets()+1), take(n), take(n)
	}
}

// newTable returns the table of a key, without entries.
func newTable(key []span, set *Set) table {
	t := table{window: newWindow(key, set.Bits)}
	t.shift = t.window.width - min(t.window.key, directoryBits(set.Len()))
	mask := keyMask(key, set.Stride())
	for mask[0] == 0 {
		mask, t.keyFrom = mask[1:], t.keyFrom+1
	}
	for mask[len(mask)-1] == 0 {
		mask = mask[:len(mask)-1]
	}
	t.keyMask = mask
	return t
}

// directoryBits returns the number of bits of a bucket for n fingerprints, if the key has as many.
// It gives 8 to 16 entries per bucket, whose screens fit in one cache line, and half a byte of
// directory per entry.
func directoryBits(n int) int { return min(max(bits.Len(uint(n))-4, 0), mostDirectoryBits) }

// mostDirectoryBits is the maximum number of bits of a bucket. A builder stores 16 of them in
// addition to the partition.
const mostDirectoryBits = partitionBits + 16

func (t *tables) Name() string { return t.design.String() }
func (t *tables) Set() *Set    { return t.scan.set }
func (t *tables) MaxK() int    { return t.design.MaxK() }

func (t *tables) Bytes() int64 {
	n := 4*int64(t.numbers()) + int64(len(t.list))*int64(unsafe.Sizeof(table{}))
	for i := range t.list {
		x := &t.list[i]
		n += 8*int64(len(x.keyMask)) + int64(len(x.window.pieces))*int64(unsafe.Sizeof(piece{}))
	}
	return n
}

// numbers returns the number of elements of the arrays of all tables.
func (t *tables) numbers() (n int) {
	for i := range t.list {
		n += t.list[i].buckets() + 1 + 2*t.scan.set.Len() // a screen and a position for each
	}
	return n
}

func (t *table) buckets() int { return 1 << (t.window.width - t.shift) }

// builder builds tables one after the other. The first pass distributes the entries over partitions
// that fit into the cache, and the second pass sorts each partition by bucket. All tables use the
// same buffers.
type builder struct {
	set     *Set
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

func newBuilder(set *Set, workers int) *builder {
	b := &builder{set: set, workers: max(1, min(workers, set.Len()/partitionEntries))}
	b.counts = make([][]int, b.workers)
	for i := range b.counts {
		b.counts[i] = make([]int, 1<<partitionBits)
	}
	return b
}

func (b *builder) build(t *table) {
	width := t.window.width - t.shift
	b.partitions = min(bits.Len(uint(b.set.Len()/partitionEntries)), partitionBits, width)
	b.partitions = max(b.partitions, width-16)
	b.inParallel(func(worker, from, to int) { b.count(t, worker, from, to) })
	ends := b.places()
	entries := b.set.Len()
	if b.records == nil {
		b.records, b.lower = hugepages.Make[uint64](entries), hugepages.Make[uint16](entries)
	}
	b.inParallel(func(worker, from, to int) { b.spread(t, worker, from, to) })
	t.starts[1<<width] = uint32(entries)
	b.order(t, ends)
}

// inParallel calls do once for each worker, with that worker's share of the fingerprints.
func (b *builder) inParallel(do func(worker, from, to int)) {
	n := int64(b.set.Len())
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
	counts, w := b.counts[worker], b.set.Stride()
	clear(counts)
	shift := t.window.width - b.partitions
	for i := from; i < to; i++ {
		counts[t.window.of(b.set.Words[i*w:i*w+w])>>shift]++
	}
}

// spread writes the entries of fingerprints to their partitions.
func (b *builder) spread(t *table, worker, from, to int) {
	next, w := b.counts[worker], b.set.Stride()
	shift := t.window.width - b.partitions
	for i := from; i < to; i++ {
		x := t.window.of(b.set.Words[i*w : i*w+w])
		at := next[x>>shift]
		next[x>>shift]++
		b.records[at], b.lower[at] = x<<32|uint64(i), uint16(x>>t.shift)
	}
}

// order sorts the entries of each partition by bucket.
func (b *builder) order(t *table, ends []int) {
	var next atomic.Int64
	b.eachWorker(func(int) {
		places := make([]uint32, 1<<(t.window.width-t.shift-b.partitions))
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
	starts := t.starts[partition*len(places):][:len(places)]
	for i, n := range places {
		starts[i], places[i] = at, at
		at += n
	}
	for i, record := range b.records[from:to] {
		bucket := b.lower[from+i] & mask
		t.screens[places[bucket]], t.positions[places[bucket]] = uint32(record>>32), uint32(record)
		places[bucket]++
	}
}

// window packs the bits of a fingerprint that a table needs into one word: the bits of the key on
// top, and below them as many of the other bits as fit. For fingerprints of less than 64 bits, a
// window has the same width as the fingerprint.
type window struct {
	pieces []piece
	width  int // of the window
	key    int // number of bits of the key in the window
}

// piece is a run of bits of one word that move by the same distance.
type piece struct {
	word   int
	rotate int
	mask   uint64 // after the rotation
}

// leastKey is the number of key bits in the window of a wide fingerprint with a long key. The
// bucket has fewer bits, so no more are necessary.
const leastKey = 32

// newWindow returns the window of a key, for fingerprints of the given width.
func newWindow(key []span, width int) window {
	rest := outside(key, width)
	w := window{width: min(width, 64)}
	w.key = max(min(total(key), leastKey), w.width-total(rest))
	for at, i := w.width, len(key)-1; at > w.width-w.key; i-- {
		take := min(key[i].width, at-(w.width-w.key))
		at -= take
		w.place(span{key[i].from + key[i].width - take, take}, at)
	}
	for at, i := 0, 0; at < w.width-w.key; i++ {
		take := min(rest[i].width, w.width-w.key-at)
		w.place(span{rest[i].from, take}, at)
		at += take
	}
	return w
}

// place puts the bits of a span at the given bit of the window. Spans that move by the same
// distance form one piece, such as all spans of a rotation.
func (w *window) place(s span, at int) {
	for s.width > 0 {
		from := s.from % 64
		take := min(s.width, 64-from)
		p := piece{s.from / 64, (at - from + 64) % 64, ^uint64(0) >> (64 - take) << at}
		if i := w.find(p); i >= 0 {
			w.pieces[i].mask |= p.mask
		} else {
			w.pieces = append(w.pieces, p)
		}
		s, at = span{s.from + take, s.width - take}, at+take
	}
}

func (w *window) find(p piece) int {
	for i, q := range w.pieces {
		if q.word == p.word && q.rotate == p.rotate {
			return i
		}
	}
	return -1
}

func (w *window) of(words []uint64) (x uint64) {
	for _, p := range w.pieces {
		x |= bits.RotateLeft64(words[p.word], p.rotate) & p.mask
	}
	return x
}

func total(spans []span) (width int) {
	for _, s := range spans {
		width += s.width
	}
	return width
}
