//go:build unix

package indexfile

import (
	"context"
	"path/filepath"
	"testing"

	"simhashkit/fphash/index"
)

// BenchmarkInsert measures the processor time of inserts in batches of 1,000, without fsync.
func BenchmarkInsert(b *testing.B) {
	path := filepath.Join(b.TempDir(), "a.index")
	d := &trappedDisk{lazy: true}
	if err := create(context.Background(), d, path, newEntries(&index.Set{Bits: 64}, false, 0), Options{K: 3}); err != nil {
		b.Fatal(err)
	}
	w, err := openWriter(d, path)
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	e := &Entries{Set: index.Set{Bits: 64, Words: make([]uint64, 1000), IDs: make([]uint64, 1000)}}
	next := uint64(0)
	for b.Loop() {
		for i := range e.IDs {
			e.IDs[i], e.Words[i] = next, mix(next)
			next++
		}
		if err := w.Insert(e); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(next), "ns/entry")
}
