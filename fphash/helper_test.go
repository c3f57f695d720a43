package fphash

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// ended waits until the helper has no goroutine, or until the test's time is over.
func (h *helper) ended() {
	for h.task.Load() != nil {
		time.Sleep(patience)
	}
}

// TestTogether gives tasks to helpers in every state: asleep, awake, too late, on their way out.
// Each unit of work is done once, no Sketcher has two users, and nothing is done when together has
// returned.
func TestTogether(t *testing.T) {
	rounds := 10_000
	if testing.Short() {
		rounds = 300
	}
	var callers sync.WaitGroup
	for caller := range 4 {
		callers.Go(func() {
			r := rand.New(rand.NewPCG(uint64(caller), 5))
			own := &Sketcher{}
			users := map[*Sketcher]*atomic.Int64{own: {}}
			plain := map[*Sketcher]*int{own: new(int)} // not synchronised, for the race detector
			helpers := make([]*helper, 1+caller)
			for i := range helpers {
				s := &Sketcher{}
				helpers[i], users[s], plain[s] = &helper{sketcher: s}, new(atomic.Int64), new(int)
			}
			for range rounds {
				done := make([]int, r.IntN(40))
				spin := r.IntN(2000)
				var taken atomic.Int64
				var over atomic.Bool
				together(own, helpers[:r.IntN(len(helpers)+1)], r.IntN(2) == 0, func(s *Sketcher) {
					if over.Load() || users[s].Add(1) != 1 {
						t.Error("work has begun after its end, or for the second time at once")
					}
					for unit := taken.Add(1) - 1; int(unit) < len(done); unit = taken.Add(1) - 1 {
						*plain[s]++
						done[unit]++
						for i := 0; i < spin; i++ {
							taken.Load()
						}
						if unit%7 == 0 {
							runtime.Gosched()
						}
					}
					users[s].Add(-1)
				})
				over.Store(true)
				for unit, times := range done {
					if times != 1 {
						t.Errorf("unit %d of %d was done %d times", unit, len(done), times)
					}
				}
				switch r.IntN(4) {
				case 0:
					time.Sleep(time.Duration(r.IntN(3)) * patience)
				case 1:
					runtime.Gosched()
				}
			}
			for _, h := range helpers {
				h.ended()
			}
		})
	}
	callers.Wait()
}

// TestTooLate: a batch does not wait for helpers that have not begun, and these do not do what has
// been taken back.
func TestTooLate(t *testing.T) {
	for _, follow := range []bool{false, true} {
		h := &helper{}
		h.task.Store(waiting) // as one whose goroutine the system has not started yet
		calls := 0
		together(nil, []*helper{h}, follow, func(*Sketcher) { calls++ })
		want := leaving
		if follow {
			want = waiting
		}
		if calls != 1 || h.task.Load() != want {
			t.Fatalf("the work was done %d times, want once by the caller", calls)
		}
		go h.run() // now it starts, and finds nothing
		h.ended()
		if calls != 1 {
			t.Error("the helper has done what was taken back")
		}
	}
}

// TestGivenMeanwhile: a task that is given before the helper has marked the end of the one before
// is not lost.
func TestGivenMeanwhile(t *testing.T) {
	h := &helper{sketcher: &Sketcher{}}
	for _, follow := range []bool{false, true} {
		second := &task{work: func(*Sketcher) {}}
		second.helpers.Store(1)
		second.done.Lock()
		first := &task{follow: follow, work: func(*Sketcher) { h.give(second) }}
		first.helpers.Store(1)
		first.done.Lock()
		h.give(first)
		first.done.Lock()
		second.done.Lock() // or until the test's time is over
		h.ended()
	}
}

// TestHelpersStay: from the second of batches that follow each other, helpers stay awake; after a
// batch that comes alone they end at once.
func TestHelpersStay(t *testing.T) {
	for _, follow := range []bool{false, true} {
		h := &helper{sketcher: &Sketcher{}}
		var after *task
		begun := make(chan bool)
		together(nil, []*helper{h}, follow, func(s *Sketcher) {
			if s == nil {
				<-begun // the helper takes part
				return
			}
			after = h.task.Load()
			close(begun)
		})
		if after != working {
			t.Error("a helper at work is not marked so")
		}
		if stays := h.task.Load() == waiting; stays && !follow {
			t.Error("the helper of a single batch stays awake")
		}
		h.ended()
	}
}

// TestFollowingBatches: a batch knows by the time of the one before whether it follows it, and has
// its helpers at once if it does.
func TestFollowingBatches(t *testing.T) {
	s := mustNew(t, WithWorkers(4))
	offsets := make([]int, 4*spanFeatures/vectorFeatures+1)
	for range 2 {
		s.ended = time.Now().Add(time.Hour) // however slow this machine is
		if _, _, err := AppendBatchUnit(s, nil, nil, offsets, []uint64{}); err != nil {
			t.Fatal(err)
		}
		if len(s.helpers) != 3 {
			t.Errorf("%d helpers, want 3", len(s.helpers))
		}
		if since := time.Since(s.ended); since < 0 {
			t.Error("the end of the batch was not noted")
		}
	}
	for i, h := range s.helpers {
		h.ended()
		if h.sketcher == s {
			t.Errorf("helper %d has the caller's buffers", i)
		}
	}
}

// TestWorthWaking: a batch that comes alone wakes as many helpers as have enough to do by the time
// of its first span.
func TestWorthWaking(t *testing.T) {
	for _, c := range []struct {
		first         time.Duration
		workers, left int
		want          int
	}{
		{0, 8, 7, 8}, // a clock that is too coarse
		{patience / 10, 8, 19, 1},
		{patience / 10, 8, 20, 2},
		{patience / 10, 8, 119, 6},
		{patience / 10, 8, 1 << 20, 8},
		{2 * patience, 8, 6, 7},
		{2 * patience, 8, 7, 8},
		{100 * time.Hour, 8, 1 << 20, 8},
	} {
		synctest.Test(t, func(t *testing.T) { // time passes in Sleep alone
			if got := worthWaking(c.workers, c.left, func() { time.Sleep(c.first) }); got != c.want {
				t.Errorf("%d spans of %v left: %d of %d workers, want %d", c.left, c.first, got, c.workers, c.want)
			}
		})
	}
}

// TestBubble: helpers do not keep the time of testing/synctest from passing, and may have been
// started outside.
func TestBubble(t *testing.T) {
	s := mustNew(t, WithWorkers(3))
	offsets := make([]int, 50_001)
	batch := func() {
		if _, _, err := AppendBatchUnit(s, nil, nil, offsets, []uint64{}); err != nil {
			t.Error(err)
		}
	}
	for range 3 {
		batch()
	}
	synctest.Test(t, func(t *testing.T) {
		for range 3 {
			batch()
		}
		synctest.Wait()
		time.Sleep(time.Hour)
		batch()
	})
	batch()
}

// TestHashEndsGoroutine: a hash that ends the goroutine it is called on, as a failing test does,
// leaves neither the caller nor the next batch waiting.
func TestHashEndsGoroutine(t *testing.T) {
	h := &helper{sketcher: &Sketcher{}}
	for range 2 {
		begun := make(chan bool)
		together(nil, []*helper{h}, true, func(s *Sketcher) {
			if s == nil {
				<-begun
				return
			}
			close(begun)
			runtime.Goexit()
		})
		h.ended()
	}
}

// TestPanicOfTheCaller: when the caller's hash panics, helpers are done before the caller can
// recover and have its slices back.
func TestPanicOfTheCaller(t *testing.T) {
	h := &helper{sketcher: &Sketcher{}}
	busy := false
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic is lost")
			}
		}()
		begun := make(chan bool)
		together(nil, []*helper{h}, false, func(s *Sketcher) {
			if s == nil {
				<-begun
				panic("hash")
			}
			busy = true
			close(begun)
			time.Sleep(patience)
			busy = false
		})
	}()
	if busy {
		t.Error("a helper is still at work")
	}
	h.ended()
}
