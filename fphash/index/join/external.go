package join

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"runtime"
	"slices"

	"simhashkit/fphash"
	"simhashkit/fphash/index"
	"simhashkit/internal/scratch"
)

// External finds the groups that pairs of fingerprints within K bits form, if the fingerprints do
// not fit into memory. It writes them to a file, partitioned by one block after the other, and
// searches each partition in memory.
type External struct {
	Bits int // width of each fingerprint, 1 to fphash.MaxBits
	K    int // 0 or more

	// Differ, Recall and Seed have the same meaning as in Join. Without Recall, K+1 must be at most
	// a quarter of Bits, so that blocks have at least 4 bits.
	Differ float64
	Recall float64
	Seed   uint64

	// Source yields the fingerprints and their ids. Groups calls it K+4 times, or with Recall,
	// three times and once for each table. It must yield the same records each time. It may
	// overwrite the words of a record when the next one is requested.
	Source func() iter.Seq2[Record, error]

	// Folder is the folder for the temporary file, which has 8 bytes per fingerprint in addition to
	// its words; "" means os.TempDir.
	Folder  string
	Memory  int64 // approximate bytes; 0 means 1 GiB
	Workers int   // goroutines; 0 means GOMAXPROCS

	// Progress, if not nil, is called periodically with the finished share of the work, from 0 to
	// 1, by one goroutine at a time.
	Progress func(done float64)
}

// Record is a fingerprint and its id.
type Record struct {
	ID    uint64
	Words []uint64 // (Bits+63)/64
}

func (x *External) workers() int { return cmp.Or(x.Workers, runtime.GOMAXPROCS(0)) }

func (x *External) memory() int64 { return cmp.Or(x.Memory, 1<<30) }

func (x *External) check() error {
	if err := checkRecall(x.Recall, x.Differ); err != nil {
		return err
	}
	switch {
	case x.Bits < 1 || x.Bits > fphash.MaxBits:
		return fmt.Errorf("join: fingerprints of %d bits, expected 1 to %d", x.Bits, fphash.MaxBits)
	case x.K < 0:
		return fmt.Errorf("join: pairs within %d bits, expected 0 or more", x.K)
	case !x.sampled() && x.blockBits() < leastKeyOnDisk:
		return fmt.Errorf("join: k = %d of %d bits leaves blocks of %d bits, expected %d or more to partition on disk, or a recall", x.K, x.Bits, x.blockBits(), leastKeyOnDisk)
	case x.Source == nil:
		return errors.New("join: an External without a Source")
	case x.Memory < 0 || x.Workers < 0:
		return fmt.Errorf("join: memory of %d bytes and %d workers, expected 0 or more", x.Memory, x.Workers)
	}
	return nil
}

// records calls f for each record of the source.
func (x *External) records(ctx context.Context, f func(Record) error) error {
	n, words := 0, (x.Bits+63)/64
	for r, err := range x.Source() {
		if err != nil {
			return err
		}
		if len(r.Words) != words || x.Bits%64 != 0 && r.Words[words-1]>>(x.Bits%64) != 0 {
			return fmt.Errorf("join: fingerprint %d of the source, with id %d, does not have %d bits", n, r.ID, x.Bits)
		}
		if err := f(r); err != nil {
			return err
		}
		if n++; n%(1<<14) == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}

// errShort is the error for a source that yields other records than before.
var errShort = fmt.Errorf("join: the source changed between two readings: %w", io.ErrUnexpectedEOF)

// blockBits returns the width of the keys for K+1 blocks.
func (x *External) blockBits() int { return min(x.Bits/(x.K+1), 2*mostFirst) }

// sampled reports whether the plan may use sampled tables.
func (x *External) sampled() bool { return x.Recall > 0 && x.K < x.Bits }

// Plan describes how the join would work: with K+1 blocks, in one of which a pair agrees, or with
// sampled tables if Recall is set and they cost less. It reads the source once to count the
// fingerprints.
func (x *External) Plan(ctx context.Context) (Plan, error) {
	p := Plan{Bits: x.Bits, K: x.K, onDisk: true, differ: x.Differ}
	p.recall = p.within()
	if err := x.check(); err != nil {
		return p, err
	}
	err := x.records(ctx, func(Record) error { p.Fingerprints++; return nil })
	if err != nil {
		return p, err
	}
	p.Pairs = float64(p.Fingerprints) * max(float64(p.Fingerprints)-1, 0) / 2
	key := x.blockBits()
	p.byBlocks(x.K+1, key)
	p.first = uint(min(key, mostFirst))
	p.second = uint(key) - p.first
	if p.cost = p.total(); key < leastKeyOnDisk {
		p.cost = math.Inf(1) // there is no exact join on disk to compare with
	} else {
		p.exact = p.cost
	}
	if x.sampled() {
		p.sample(x.Recall, x.Seed)
	}
	if p.Tables == 0 && key < leastKeyOnDisk {
		return p, fmt.Errorf("join: k = %d of %d bits leaves blocks of %d bits, expected %d or more to partition on disk, or a smaller recall than %v", x.K, x.Bits, x.blockBits(), leastKeyOnDisk, x.Recall)
	}
	p.Bytes = x.memory()
	return p, nil
}

// Groups returns the groups that the pairs form, like Join.Groups, and the set of all fingerprints
// that are in a group. The set has the order and the ids of the source, and the members of a group
// are positions in it. It returns an error if the source fails, if a fingerprint is not Bits wide,
// if the disk is full, or if the context is done. It does not check for repeated ids. The file is
// removed when Groups ends, and on Unix also when the program is killed.
//
// In addition to Memory, Groups needs about 5 bytes for each fingerprint of the source, and 24
// bytes and the words for each fingerprint in a group.
func (x *External) Groups(ctx context.Context) (*Groups, *index.Set, error) {
	if err := x.check(); err != nil {
		return nil, nil, err
	}
	trees, err := x.joinGroups(ctx)
	if err != nil {
		return nil, nil, err
	}
	set, trees, err := x.members(ctx, trees)
	if err != nil {
		return nil, nil, err
	}
	return collectGroups(set, x.K, trees), set, nil
}

// joinGroups returns the forest of the groups, by position in the source.
func (x *External) joinGroups(ctx context.Context) (forest, error) {
	d, err := newDisk(ctx, x)
	if err != nil {
		return nil, err
	}
	defer d.file.Close()
	if d.n >= 1<<32 {
		return nil, fmt.Errorf("join: groups of %d fingerprints, expected less than 2^32", d.n)
	}
	trees := newForest(int(d.n))
	crew := newCrew(ctx, x.workers(), d.parts(), x.Progress)
	defer crew.end()
	return trees, crew.joinGroups(d.stages(), trees)
}

// members returns the fingerprints of the source that are in groups, and a forest of their
// positions in this set.
func (x *External) members(ctx context.Context, trees forest) (*index.Set, forest, error) {
	grouped := make([]bool, len(trees))
	for i := range trees {
		if root := trees.find(uint32(i)); root != uint32(i) {
			grouped[i], grouped[root] = true, true
		}
	}
	set, position := &index.Set{Bits: x.Bits, IDs: []uint64{}}, 0
	var positions []uint32 // in the source
	err := x.records(ctx, func(r Record) error {
		if position == len(trees) {
			return errShort
		}
		if grouped[position] {
			set.IDs, set.Words, positions = append(set.IDs, r.ID), append(set.Words, r.Words...), append(positions, uint32(position))
		}
		position++
		return nil
	})
	if err == nil && position < len(trees) {
		err = errShort
	}
	members := newForest(len(positions))
	for i, p := range positions {
		root, _ := slices.BinarySearch(positions, trees.find(p))
		members.union(uint32(i), uint32(root))
	}
	return set, members, err
}

const (
	leastKeyOnDisk = 4       // minimum number of key bits for partitions on disk
	writeBuffer    = 1 << 15 // size of the write buffer of a partition in bytes
	entryInMemory  = 40      // bytes of an entry during the search, beyond twice its words
)

// disk holds all fingerprints of an External in a file, partitioned by one block at a time.
type disk struct {
	x       *External
	plan    Plan
	n       int64 // number of fingerprints of the source
	file    *scratch.File
	counts  [][]int64 // by block and partition: number of entries
	most    int       // maximum number of entries in memory for a worker
	current []int64   // by partition of the current block: its end, in entries
}

// newDisk reads the source twice and creates the file.
func newDisk(ctx context.Context, x *External) (d *disk, err error) {
	d = &disk{x: x}
	if d.plan, err = x.Plan(ctx); err != nil {
		return nil, err
	}
	each := entryInMemory + 2*(d.entry()-8)
	d.most = int(min(max(x.memory()/int64(x.workers())/each, 1024), 1<<28))
	for range d.plan.tables {
		d.counts = append(d.counts, make([]int64, 1<<d.plan.first))
	}
	err = x.records(ctx, func(r Record) error {
		d.n++
		for i := range d.plan.tables {
			d.counts[i][d.partition(r.Words, &d.plan.tables[i])]++
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if d.file, err = scratch.NewIn(x.Folder); err != nil {
		return nil, fmt.Errorf("join: %w", err)
	}
	return d, nil
}

// entry returns the number of bytes of an entry in the file.
func (d *disk) entry() int64 { return 8 + 8*(int64(d.x.Bits+63)/64) }

// partition returns the partition of a fingerprint for a block.
func (d *disk) partition(words []uint64, b *table) int {
	return int(b.window.of(words) >> (uint(windowBits(d.x.Bits)) - d.plan.first))
}

func (d *disk) parts() int { return len(d.plan.tables) << d.plan.first }

func (d *disk) stages() iter.Seq[stage] {
	return func(yield func(stage) bool) {
		for i := range d.plan.tables {
			s := stage{
				prepare: func(ctx context.Context, _ int) error { return d.write(ctx, i) },
				parts:   1 << d.plan.first,
				run:     func(w *worker, part int, emit sink) error { return d.search(w, i, part, emit) },
			}
			if !yield(s) {
				return
			}
		}
	}
}

// write writes all entries to their partitions by block i.
func (d *disk) write(ctx context.Context, i int) error {
	writers := make([]*bufio.Writer, 1<<d.plan.first)
	d.current = d.current[:0]
	at := int64(0)
	left := make([]int64, len(writers))
	for p, n := range d.counts[i] {
		writers[p] = bufio.NewWriterSize(io.NewOffsetWriter(d.file, at*d.entry()), writeBuffer)
		at, left[p] = at+n, n
		d.current = append(d.current, at)
	}
	position, entry := uint64(0), []byte{}
	err := d.x.records(ctx, func(r Record) error {
		entry = binary.LittleEndian.AppendUint64(entry[:0], position)
		position++
		for _, x := range r.Words {
			entry = binary.LittleEndian.AppendUint64(entry, x)
		}
		p := d.partition(r.Words, &d.plan.tables[i])
		if left[p]--; left[p] < 0 {
			return errShort
		}
		_, err := writers[p].Write(entry)
		return err
	})
	for p, w := range writers {
		if err == nil {
			err = w.Flush()
		}
		if err == nil && left[p] > 0 {
			err = errShort
		}
	}
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("join: partition %d fingerprints on disk: %w", at, err)
	}
	return err
}

// appendEntries appends entries of the file to a set. Their ids are positions in the source.
func (d *disk) appendEntries(set *index.Set, from, to int64) error {
	data := make([]byte, (to-from)*d.entry())
	if _, err := d.file.ReadAt(data, from*d.entry()); err != nil {
		return fmt.Errorf("join: read partitioned fingerprints: %w", err)
	}
	next := func() uint64 {
		x := binary.LittleEndian.Uint64(data)
		data = data[8:]
		return x
	}
	set.IDs, set.Words = slices.Grow(set.IDs, int(to-from)), slices.Grow(set.Words, int(to-from)*set.Stride())
	for len(data) > 0 {
		set.IDs = append(set.IDs, next())
		for range set.Stride() {
			set.Words = append(set.Words, next())
		}
	}
	return nil
}

// search emits the pairs of one partition for block i. If the partition does not fit into memory,
// it searches each two pieces of it together.
func (d *disk) search(w *worker, i, partition int, emit sink) error {
	from, to, most := int64(0), d.current[partition], int64(d.most)
	if partition > 0 {
		from = d.current[partition-1]
	}
	switch {
	case from == to:
		return nil
	case to-from <= most:
		return d.searchPieces(w, i, emit, from, to)
	}
	most /= 2
	for a := from; a < to; a += most {
		for b := a + most; b < to && !w.stopped(); b += most {
			if err := d.searchPieces(w, i, emit, a, a+most, b, min(b+most, to)); err != nil {
				return err
			}
		}
	}
	return nil
}

// searchPieces emits the pairs among the fingerprints of pieces of a partition for block i. bounds
// has the start and end of each piece.
func (d *disk) searchPieces(w *worker, i int, emit sink, bounds ...int64) error {
	set := &index.Set{Bits: d.x.Bits}
	for piece := range slices.Chunk(bounds, 2) {
		if err := d.appendEntries(set, piece[0], piece[1]); err != nil {
			return err
		}
	}
	t := task{join: &Join{Set: set, K: d.x.K}, plan: &d.plan, number: i}
	t.windows, t.positions = make([]uint64, set.Len()), make([]uint32, set.Len())
	d.plan.tables[i].windowsOf(t.windows, set, 0)
	for p := range t.positions {
		t.positions[p] = uint32(p)
	}
	w.ids = func(position uint32) uint32 { return uint32(set.IDs[position]) }
	w.search(t, func(n near) bool { return emit(near{w.ids(n.a), w.ids(n.b), n.distance}) })
	return nil
}
