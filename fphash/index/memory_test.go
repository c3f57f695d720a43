package index

import (
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"testing"

	"simhashkit/fphash/index/internal/search"
)

// roundedUp is the tolerance for Bytes: the header of a structure, some hundred bytes for each
// table, and partly used pages of 8 KiB.
const roundedUp = 64 << 10

// held returns the result of make, and the heap memory that it occupies.
func held[T any](make func() T) (made T, bytes int64) {
	var before, after runtime.MemStats
	collect := func(m *runtime.MemStats) {
		runtime.GC()
		runtime.GC() // also frees the memory of pools
		runtime.ReadMemStats(m)
	}
	collect(&before)
	made = make()
	collect(&after)
	return made, int64(after.HeapAlloc) - int64(before.HeapAlloc)
}

// TestBytes compares the Bytes of a snapshot with the heap memory of the index.
func TestBytes(t *testing.T) {
	set := newShape(rand.New(rand.NewPCG(1, 1)), shapes[0], 64, 300_000)
	x, bytes := held(func() *Index {
		x, err := New(64, "", 3)
		if err == nil {
			err = x.Insert(set)
		}
		if err == nil {
			_, err = x.Delete(set.IDs[1], set.IDs[299_999])
		}
		if err != nil {
			t.Fatal(err)
		}
		return x
	})
	if want := x.Snapshot().Bytes(); bytes < want-roundedUp || bytes > want+roundedUp {
		t.Errorf("%d bytes on the heap, expected the %d of Bytes", bytes, want)
	}
	runtime.KeepAlive(x)
	runtime.KeepAlive(set)
}

// TestNoAllocation checks that queries do not allocate if dst has enough capacity, for keys with
// and without errors.
func TestNoAllocation(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector allocates")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // the garbage collector empties pools
	r := rand.New(rand.NewPCG(5, 6))
	set := newShape(r, shapes[1], 64, 5000)
	queries := queriesFor(r, set, 16, 3)
	matches := make([]Match, 0, set.Len())
	for _, d := range []search.Design{{}, {Blocks: 4}, {Blocks: 2, Errors: 1}} {
		x, err := newIndex(64, "", options{k: 3, design: d})
		if err == nil {
			err = x.Insert(set)
		}
		if err != nil {
			t.Fatal(err)
		}
		s := x.Snapshot()
		n := testing.AllocsPerRun(10, func() {
			for _, q := range queries {
				matches, _ = s.AppendWithin(matches[:0], q, 3)
			}
		})
		if n > 0 {
			t.Errorf("%s: %.0f allocations for %d queries, expected none", d, n, len(queries))
		}
	}
}
