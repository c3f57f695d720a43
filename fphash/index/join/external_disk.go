package join

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"os"

	"simhashkit/fphash/index"
)

const (
	leastKeyOnDisk = 4       // bits of a key by which partitions on disk are told apart
	writeBuffer    = 1 << 15 // bytes of each partition that are written together
	entryInMemory  = 40      // bytes beside its words, twice, that an entry takes while it is searched
)

// disk holds all fingerprints of an External in a file, partitioned by one block at a time.
type disk struct {
	x       *External
	plan    Plan
	n       int64 // fingerprints of the source
	file    *os.File
	named   bool      // the file has its name still
	counts  [][]int64 // by block: of each partition
	most    int       // entries in memory at a time, of each worker
	current []int64   // where the partitions of the block at hand end, in entries
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
	if d.file, err = os.CreateTemp(x.Folder, "simhashkit-join-*"); err != nil {
		return nil, fmt.Errorf("join: %w", err)
	}
	// On systems that can unlink open files, the file disappears when it is closed.
	d.named = os.Remove(d.file.Name()) != nil
	return d, nil
}

func (d *disk) close() {
	_ = d.file.Close()
	if d.named { // else another process may have a file of that name by now
		_ = os.Remove(d.file.Name())
	}
}

// entry returns how many bytes an entry has in the file.
func (d *disk) entry() int64 { return 8 + 8*(int64(d.x.Bits+63)/64) }

// partition returns the partition of a fingerprint by a block.
func (d *disk) partition(words []uint64, b *table) int {
	return int(b.window(words, d.x.Bits) >> (windowBits(d.x.Bits) - d.plan.first))
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
	var entry []byte
	err := d.x.records(ctx, func(r Record) error {
		entry = binary.LittleEndian.AppendUint64(entry[:0], r.ID)
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

// read returns entries of the file, as a set.
func (d *disk) read(from, to int64) (*index.Set, error) {
	data := make([]byte, (to-from)*d.entry())
	if _, err := d.file.ReadAt(data, from*d.entry()); err != nil {
		return nil, fmt.Errorf("join: read back what was partitioned: %w", err)
	}
	take := func(numbers []uint64) {
		for i := range numbers {
			numbers[i], data = binary.LittleEndian.Uint64(data), data[8:]
		}
	}
	s, n := &index.Set{Bits: d.x.Bits}, int(to-from)
	s.IDs, s.Words = make([]uint64, n), make([]uint64, n*s.Stride())
	for i := range n {
		take(s.IDs[i : i+1])
		take(s.At(i))
	}
	return s, nil
}

// search emits the pairs of one partition by block i. If the partition exceeds the memory, it
// compares each piece with itself and with the later pieces.
func (d *disk) search(w *worker, i, partition int, emit sink) error {
	from := int64(0)
	if partition > 0 {
		from = d.current[partition-1]
	}
	to := d.current[partition]
	most := int64(d.most)
	if to-from > most {
		most /= 2 // two pieces are in memory
	}
	for a := from; a < to && !w.stopped(); a += most {
		first, err := d.read(a, min(a+most, to))
		if err != nil {
			return err
		}
		if err := d.searchPieces(w, i, partition, &Join{Set: first, K: d.x.K}, emit); err != nil {
			return err
		}
		for b := a + most; b < to && !w.stopped(); b += most {
			second, err := d.read(b, min(b+most, to))
			if err != nil {
				return err
			}
			if err := d.searchPieces(w, i, partition, &Join{Set: first, Against: second, K: d.x.K}, emit); err != nil {
				return err
			}
		}
	}
	return nil
}

// searchPieces emits the pairs of pieces of one partition.
func (d *disk) searchPieces(w *worker, i, partition int, j *Join, emit sink) error {
	t := task{join: j, plan: &d.plan, number: i, second: uint32(j.len())}
	add := func(s *index.Set) {
		for p := range s.Len() {
			t.positions = append(t.positions, uint32(len(t.positions)))
			t.windows = append(t.windows, d.plan.tables[i].window(s.At(p), s.Bits))
		}
	}
	t.windows, t.positions = make([]uint64, 0, j.len()), make([]uint32, 0, j.len())
	if add(j.Set); j.Against != nil {
		t.second = uint32(j.Set.Len())
		add(j.Against)
	}
	ids := j.ids()
	if w.trees != nil {
		w.ids = ids
	}
	w.search(t, func(n near) bool { return emit(near{ids(n.a), ids(n.b), n.distance}) })
	return nil
}
