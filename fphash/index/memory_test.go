package index

import (
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"testing"
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

// TestBytes compares the Bytes of structures with their heap memory and with the forecasts, also
// for arrays of several huge pages.
func TestBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(40, 41))
	for name, set := range map[string]*Set{
		"random": benchSet(600_000), "planted": newShape(r, shapes[1], 64, 30_000),
		"wide": newShape(r, shapes[0], 192, 50_001),
	} {
		expected := map[Design]forecast{}
		for _, f := range forecasts(set, 3) {
			expected[f.design] = f
		}
		for _, structure := range []Design{{}, pigeonhole(3), manku10, manku16, manku20} { // the first is the choice
			if set.Len() == 600_000 && (structure == manku16 || structure == manku20) {
				continue // like manku10, but large
			}
			s, bytes := held(func() Structure { return mustNew(t, set, Options{design: structure, K: 3}) })
			if over := bytes - s.Bytes(); over < -roundedUp || over > roundedUp {
				t.Errorf("%s of %s: %d bytes on the heap, expected the %d of Bytes", structure, name, bytes, s.Bytes())
			}
			f, ok := expected[designOf(s)]
			if ok && f.bytes != s.Bytes() {
				t.Errorf("%s of %s: a forecast of %d bytes, expected %d", structure, name, f.bytes, s.Bytes())
			}
			runtime.KeepAlive(s)
		}
	}
}

// TestStatisticsBytes compares the computed memory of an index with its heap memory.
func TestStatisticsBytes(t *testing.T) {
	set := benchSet(300_000)
	x, bytes := held(func() *Index {
		x, err := New(64, "", Options{K: 3})
		if err == nil {
			err = x.Insert(set)
		}
		if err == nil {
			_, err = x.Delete(1, 2, 3, 299_999)
		}
		if err != nil {
			t.Fatal(err)
		}
		return x
	})
	var want int64
	for _, l := range x.Snapshot().levels {
		want += l.bytes()
	}
	if bytes < want-roundedUp || bytes > want+roundedUp {
		t.Errorf("%d bytes on the heap, expected the %d of the levels", bytes, want)
	}
	runtime.KeepAlive(x)
	runtime.KeepAlive(set)
}

// bytes returns the memory of the level.
func (l *level) bytes() int64 {
	s := l.set
	return 8*int64(len(s.Words)+len(s.IDs)) + 4*int64(len(l.byID)) + l.structure.Bytes() + l.dead.bytes()
}

func (t *tombstones) bytes() (n int64) {
	if t == nil {
		return 0
	}
	for _, page := range t.pages {
		if page != nil {
			n += tombstonePageBits / 8
		}
	}
	return n + 9*int64(len(t.pages))
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
	matches, each := make([]Match, 0, set.Len()), make([]QueryMatch, 0, set.Len())
	for _, s := range allStructures(t, set) {
		k := min(3, s.MaxK())
		n := testing.AllocsPerRun(10, func() {
			for _, q := range queries {
				matches, _ = s.AppendWithin(matches[:0], q, k)
			}
		})
		if n > 0 {
			t.Errorf("%s: %.0f allocations for %d queries, expected none", s.Name(), n, len(queries))
		}
		if _, ok := s.(*tables); !ok {
			continue // other structures copy the queries of a batch
		}
		if n := testing.AllocsPerRun(10, func() { each, _ = s.AppendWithinBatch(each[:0], queries, k) }); n > 0 {
			t.Errorf("%s: %.0f allocations for a batch, expected none", s.Name(), n)
		}
	}
}
