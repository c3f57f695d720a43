package index

import (
	"math/bits"
	"sync"
	"sync/atomic"

	"simhashkit/internal/hugepages"
)

// builder puts fingerprints into the order of tables, one table after the other: a first pass
// spreads them over partitions that fit into the cache, a second one orders each by bucket. Its
// buffers serve all tables.
type builder struct {
	set     *Set
	workers int

	partitions int      // bits of a bucket that say which partition it is in
	counts     [][]int  // by worker and partition: first numbers of entries, then where they go
	records    []uint64 // an entry's screen in the upper half, its position in the lower
	lower      []uint16 // the bits of its bucket below those of the partition
}

// partitionBits is the largest number of bits of a partition: what is written to more places at a
// time leaves the cache before its line is full.
const partitionBits = 10

// partitionEntries is about how many entries of a partition are ordered in the cache.
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

// inParallel gives each worker its part of the fingerprints.
func (b *builder) inParallel(do func(worker, from, to int)) {
	var workers sync.WaitGroup
	n := int64(b.set.Len())
	from := func(i int) int { return int(n * int64(i) / int64(b.workers)) }
	for i := range b.workers {
		workers.Go(func() { do(i, from(i), from(i+1)) })
	}
	workers.Wait()
}

// places turns the numbers of entries into where each worker's go, and returns where each partition
// ends.
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

// order puts the entries of each partition into the order of their buckets.
func (b *builder) order(t *table, ends []int) {
	var next atomic.Int64
	var workers sync.WaitGroup
	for range b.workers {
		workers.Go(func() {
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
	workers.Wait()
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
