//go:build unix

package indexfile

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"simhashkit/fphash/index"
)

// A process inserts, deletes and compacts, and is killed now and then, while readers in another
// process search. At each moment, each reader sees the result of some number of operations, never
// fewer than before. At the end, nothing is lost and nothing added. FPHASH_LOAD is the duration in
// seconds; memory and open files must not grow.
func TestLoad(t *testing.T) {
	seconds := count("FPHASH_LOAD", 0)
	r := rand.New(rand.NewPCG(5, 6))
	begin, rounds, kills := time.Now(), 0, 0
	var heap uint64
	files := 0
	for {
		kills += loadRound(t, r, filepath.Join(t.TempDir(), "a.index"), 60+rounds%7*60)
		if rounds++; rounds == 3 {
			heap, files = held()
		}
		if t.Failed() || time.Since(begin) >= time.Duration(seconds)*time.Second {
			break
		}
	}
	if rounds > 10 {
		if nowHeap, nowFiles := held(); nowHeap > 2*heap+16<<20 || nowFiles > files {
			t.Errorf("%d bytes of memory and %d open files after %d rounds, expected no more than the %d and %d after 3", nowHeap, nowFiles, rounds, heap, files)
		}
	}
	t.Logf("%d rounds, %d kills", rounds, kills)
}

// held returns the memory in use and the number of open files.
func held() (heap uint64, files int) {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	open, _ := os.ReadDir("/proc/self/fd")
	return stats.HeapAlloc, len(open)
}

func loadRound(t *testing.T, r *rand.Rand, path string, operations int) (kills int) {
	done := 0
	var readers sync.WaitGroup
	stop := make(chan struct{})
	for range 2 {
		readers.Go(func() { watch(t, path, stop, operations+1000) })
	}
	for done < operations && !t.Failed() {
		c := startChild(t, path, done+1, 0, false, false)
		before, _ := c.state()
		for wanted := before + 10 + r.IntN(operations/3); ; time.Sleep(time.Millisecond) {
			if acked, failed := c.state(); acked >= wanted {
				break
			} else if failed != "" {
				t.Error(failed)
				break
			}
		}
		c.end()
		kills++
		last, _ := c.state()
		done = reached(t, path, last, last+1)
	}
	close(stop)
	readers.Wait()
	if report, err := Verify(context.Background(), path, ""); err != nil || len(report.Damage) > 0 {
		t.Errorf("after %d operations: %+v, %v", done, report, err)
	}
	return kills
}

// watch compares what a reader sees with the plan until it is told to stop.
func watch(t *testing.T, path string, stop chan struct{}, most int) {
	var r *Reader
	last := 0
	for ended := false; !ended; {
		select {
		case <-stop:
			ended = true
		default:
		}
		var err error
		if r == nil {
			if _, err := os.Stat(path); err != nil {
				time.Sleep(time.Millisecond)
				continue
			}
			if r, err = Open(path); err == nil {
				defer r.Close()
			}
		} else {
			_, err = r.Refresh()
		}
		if err != nil {
			t.Errorf("a reader, after %d operations: %v", last, err)
			return
		}
		now, ok := stateOf(r, last, most)
		if !ok {
			t.Errorf("after %d operations, a reader sees a state that no number of operations gives", last)
			return
		}
		last = now
	}
}

// Goroutines that insert and delete at the same time share a file, and if possible an fsync.
func TestManyGoroutines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.index")
	d := &trappedDisk{lazy: true}
	if err := create(context.Background(), d, path, newEntries(&index.Set{Bits: 64}, false, 0), Options{K: 3}); err != nil {
		t.Fatal(err)
	}
	w, err := openWriter(d, path)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	const goroutines, batches = 8, 20
	var all errgroup.Group
	for g := range uint64(goroutines) {
		all.Go(func() error {
			for b := range uint64(batches) {
				e := newEntries(&index.Set{Bits: 64}, false, 0)
				for i := range uint64(5) {
					id := g<<32 | b<<8 | i
					e.add(ID{Number: id}, []uint64{mix(id)})
				}
				if err := w.Insert(e); err != nil {
					return err
				}
				if _, err := w.Delete(ID{Number: g<<32 | b<<8}); err != nil {
					return err
				}
				if g == 0 && b%8 == 7 {
					if err := w.Compact(context.Background()); err != nil {
						return err
					}
				}
			}
			return nil
		})
	}
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defined := definitionOf(t, r)
	for range 2 {
		all.Go(func() error {
			for i := range uint64(200) {
				if _, err := r.Refresh(); err != nil {
					return err
				}
				if _, err := r.AppendWithin(nil, index.Query{Words: []uint64{mix(i)}, Definition: defined}, 3); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := all.Wait(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Refresh(); err != nil {
		t.Fatal(err)
	}
	n := 0
	err = eachEntry(r, func(id ID, words []uint64) bool {
		if words[0] != mix(id.Number) || id.Number&0xff == 0 {
			t.Errorf("id %d has %x, expected %x", id.Number, words[0], mix(id.Number))
		}
		n++
		return true
	})
	if err != nil || n != goroutines*batches*4 {
		t.Errorf("%d entries, %v, expected %d", n, err, goroutines*batches*4)
	}
}
