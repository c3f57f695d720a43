package main

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/sync/errgroup"

	"simhashkit/fphash/index"
	"simhashkit/fphash/index/indexfile"
)

const (
	batchEntries    = 1000
	batchesAtOnce   = 200 // that a sample is of
	fsyncsAtOnce    = 200
	insertingAtOnce = 8 // goroutines, whose batches share an fsync where they can
)

// inserts measures acknowledged insertions in batches of 1,000, by one goroutine and by several,
// and in turn with them how many times a second the disk takes 16,000 bytes with an fsync.
func (m *measurement) inserts() error {
	path := m.path("inserts")
	if err := indexfile.Create(path, &indexfile.Entries{Set: index.Set{Bits: 64}}, indexfile.Options{K: 3}); err != nil {
		return err
	}
	defer os.Remove(path)
	w, err := indexfile.OpenWriter(path)
	if err != nil {
		return err
	}
	defer w.Close()
	next := uint64(0)
	for range m.samples {
		rate, err := m.fsyncs()
		if err != nil {
			return err
		}
		m.add("IndexFile/op=fsync/bytes=16000", "syncs/s", fsyncsAtOnce, rate)
		for _, goroutines := range []int{1, insertingAtOnce} {
			begin := time.Now()
			var group errgroup.Group
			for range goroutines {
				from := next
				next += batchesAtOnce * batchEntries
				group.Go(func() error { return insert(w, from, batchesAtOnce/goroutines) })
			}
			if err := group.Wait(); err != nil {
				return err
			}
			n := batchesAtOnce / goroutines * goroutines * batchEntries
			m.add(fmt.Sprintf("IndexFile/op=insert/batch=%d/goroutines=%d", batchEntries, goroutines), "entries/s", n, float64(n)/time.Since(begin).Seconds())
		}
		if err := w.Compact(); err != nil {
			return err
		}
	}
	return nil
}

func insert(w *indexfile.Writer, from uint64, batches int) error {
	e := &indexfile.Entries{Set: index.Set{Bits: 64, Words: make([]uint64, batchEntries), IDs: make([]uint64, batchEntries)}}
	for range batches {
		for i := range batchEntries {
			e.Words[i], e.IDs[i] = splitMix64(from), from
			from++
		}
		if err := w.Insert(e); err != nil {
			return err
		}
	}
	return nil
}

// fsyncs returns how many times a second a file takes as much as a batch is, on disk. Its room is
// there before, as a log's is.
func (m *measurement) fsyncs() (rate float64, err error) {
	f, err := os.Create(m.path("fsyncs"))
	if err != nil {
		return 0, err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	data := make([]byte, 16*batchEntries)
	if _, err := f.Write(make([]byte, fsyncsAtOnce*len(data))); err != nil {
		return 0, err
	}
	if err := f.Sync(); err != nil {
		return 0, err
	}
	begin := time.Now()
	for i := range fsyncsAtOnce {
		if _, err := f.WriteAt(data, int64(i*len(data))); err != nil {
			return 0, err
		}
		if err := f.Sync(); err != nil {
			return 0, err
		}
	}
	return fsyncsAtOnce / time.Since(begin).Seconds(), nil
}
