package fphash

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// someBuffers returns n distinct buffers, to tell workers apart.
func someBuffers(n int) []*buffers {
	list := make([]*buffers, n)
	for i := range list {
		list[i] = &buffers{}
	}
	return list
}

// TestShare checks that each span is processed once, no buffers are used by two workers at once,
// and all writes of workers happen before share returns, which the race detector checks.
func TestShare(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for range 1000 {
		all := someBuffers(1 + r.IntN(5))
		users := map[*buffers]*int{}
		for _, s := range all {
			users[s] = new(int) // not synchronised, for the race detector
		}
		done := make([]int, r.IntN(40))
		first := r.IntN(len(done) + 1)
		share(all[0], all[1:], first, len(done), 1+r.IntN(4), func(s *buffers, from, to int) {
			*users[s]++
			for span := from; span < to; span++ {
				done[span]++
			}
			if from%3 == 0 {
				runtime.Gosched()
			}
		})
		for span, times := range done {
			if expected := min(max(span-first+1, 0), 1); times != expected {
				t.Fatalf("span %d of %d from %d was processed %d times, expected %d", span, len(done), first, times, expected)
			}
		}
	}
}

// TestFailuresReachTheCaller: if a hash panics or calls runtime.Goexit on any worker, the caller
// does the same, after all workers have ended.
func TestFailuresReachTheCaller(t *testing.T) {
	for name, fail := range map[string]func(){"panic": func() { panic("hash") }, "Goexit": runtime.Goexit} {
		for _, failing := range []int{0, 1, 3} {
			all := someBuffers(4)
			var working, calls atomic.Int64
			returned, reason, end := false, any(nil), make(chan bool)
			everyone := make(chan bool)
			go func() {
				defer close(end)
				defer func() {
					reason = recover()
					if n := working.Load(); n != 0 {
						t.Errorf("%s of worker %d: %d workers are still running", name, failing, n)
					}
				}()
				share(all[0], all[1:], 0, 1<<30, 1, func(s *buffers, _, _ int) {
					working.Add(1)
					defer working.Add(-1)
					if calls.Add(1) == int64(len(all)) {
						close(everyone)
					}
					<-everyone // wait for all workers
					if s == all[failing] {
						fail()
					}
				})
				returned = true
			}()
			<-end
			if returned {
				t.Errorf("%s of worker %d: share has returned", name, failing)
			}
			if expected := map[string]any{"panic": "hash"}[name]; reason != expected {
				t.Errorf("%s of worker %d: the caller recovers %v, expected %v", name, failing, reason, expected)
			}
		}
	}
}

// TestWorthStarting: one more worker is started for each workerTime of remaining work.
func TestWorthStarting(t *testing.T) {
	for _, c := range []struct {
		elapsed             time.Duration
		workers, left, done int
		expected            int
	}{
		{0, 8, 1 << 20, 1, 1},
		{workerTime / 10, 8, 9, 1, 1},
		{workerTime / 10, 8, 10, 1, 2},
		{workerTime / 10, 8, 79, 4, 2},
		{workerTime / 10, 8, 80, 4, 3},
		{workerTime / 10, 8, 1 << 20, 1, 8},
		{workerTime, 8, 6, 1, 7},
		{workerTime, 8, 7, 1, 8},
		{100 * time.Hour, 8, 1 << 20, 1, 8},
	} {
		if got := worthStarting(c.workers, c.left, c.done, c.elapsed); got != c.expected {
			t.Errorf("%d spans took %v, %d are left: %d of %d workers, expected %d", c.done, c.elapsed, c.left, got, c.workers, c.expected)
		}
	}
}

// slowly returns a family whose hash takes the given time for each key, by the clock of
// testing/synctest.
func slowly(perKey time.Duration) Family {
	return FromFunc("slow", 64, func(dst []uint64, key []byte) {
		time.Sleep(perKey)
		dst[0] = uint64(key[0]) + 1
	})
}

// someSpans returns a batch of about the given number of spans. Each vector has one feature.
func someSpans(spans int) (offsets []int, indices []uint64) {
	for i := range (spans*spanFeatures + spanFeatures/2) / (vectorFeatures + 1) {
		offsets, indices = append(offsets, i), append(indices, uint64(i%200))
	}
	return append(offsets, len(indices)), indices
}

// goroutines returns the number of running goroutines. runtime.NumGoroutine may include one that
// has ended.
func goroutines() int {
	stacks := make([]byte, 1<<20)
	return strings.Count(string(stacks[:runtime.Stack(stacks, true)]), "\ngoroutine ") + 1
}

// TestWorkersOfABatch: only a long batch is shared among workers, and no goroutine outlives the
// call, whether running, sleeping or spinning.
func TestWorkersOfABatch(t *testing.T) {
	const perKey = 10 * time.Microsecond
	offsets, indices := someSpans(9)
	alone := time.Duration(len(indices)) * perKey
	for _, c := range []struct {
		perKey           time.Duration
		workers, helpers int
		atLeast, atMost  time.Duration
	}{
		{0, 4, 0, 0, 0},
		{workerTime / time.Duration(len(indices)), 4, 0, 0, time.Second},
		{perKey, 1, 0, alone, alone},
		{perKey, 2, 1, alone / 2, alone * 6 / 9}, // the first of nine spans alone
		{perKey, 4, 3, alone / 4, alone * 4 / 9},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := mustNew(t, Definition{}, WithFamily(slowly(c.perKey)), WithWorkers(c.workers)).Local()
			before, start := goroutines(), time.Now()
			fingerprints, _, err := AppendBatchUnit(s, nil, nil, offsets, indices)
			if err != nil {
				t.Fatal(err)
			}
			elapsed := time.Since(start)
			synctest.Wait()
			if after := goroutines(); after > before { // one of an earlier test may have ended
				t.Errorf("%d workers: %d goroutines before, %d after", c.workers, before, after)
			}
			if time.Since(start) != elapsed {
				t.Errorf("%d workers: work continued after the call", c.workers)
			}
			if len(s.own.helpers) != c.helpers || elapsed < c.atLeast || elapsed > c.atMost {
				t.Errorf("%d workers, %v for a key: %d helpers and %v, expected %d and %v to %v", c.workers, c.perKey, len(s.own.helpers), elapsed, c.helpers, c.atLeast, c.atMost)
			}
			if slices.Contains(s.own.helpers, s.own) {
				t.Error("a helper has the caller's buffers")
			}
			for i, index := range indices {
				if fingerprints[i] != index+1 {
					t.Fatalf("fingerprint %d is %d, expected %d", i, fingerprints[i], index+1)
				}
			}
		})
	}
}

// TestPanicInABatch: a Sketcher whose hash panicked in a shared batch can be used again.
func TestPanicInABatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var broken atomic.Bool
		family := FromFunc("fragile", 64, func(dst []uint64, key []byte) {
			time.Sleep(10 * time.Microsecond)
			if key[0] == 199 && broken.Load() {
				panic("hash of 199")
			}
			dst[0] = uint64(key[0]) + 1
		})
		s := mustNew(t, Definition{}, WithFamily(family), WithWorkers(3))
		offsets, indices := someSpans(9)
		for round := range 3 {
			broken.Store(round == 1)
			fingerprints, reason := []uint64(nil), any(nil)
			func() {
				defer func() { reason = recover() }()
				fingerprints, _, _ = AppendBatchUnit(s, nil, nil, offsets, indices)
			}()
			if broken.Load() {
				if reason != "hash of 199" {
					t.Errorf("the caller recovers %v", reason)
				}
				continue
			}
			for i, index := range indices {
				if fingerprints[i] != index+1 {
					t.Fatalf("round %d: fingerprint %d is %d, expected %d", round, i, fingerprints[i], index+1)
				}
			}
		}
	})
}

// TestQuickBatchesDoNotAllocate: only batches that are long enough to be shared allocate. With
// testing/synctest no time passes, so this batch is short.
func TestQuickBatchesDoNotAllocate(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector allocates")
	}
	synctest.Test(t, func(t *testing.T) {
		s := mustNew(t, Definition{}, WithWorkers(4))
		offsets, indices := someSpans(9)
		fingerprints, status := make([]uint64, 0, len(indices)), make([]Status, 0, len(indices))
		if allocs := testing.AllocsPerRun(3, func() { AppendBatchUnit(s, fingerprints, status, offsets, indices) }); allocs != 0 {
			t.Errorf("%v allocations", allocs)
		}
	})
}
