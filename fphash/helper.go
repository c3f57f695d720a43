package fphash

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// patience is about what it takes the system to wake a processor that sleeps: 100 µs on a virtual
// machine. A batch that comes alone wakes no more helpers than have twice that much to do. When
// batches follow each other sooner, their helpers stay awake for that long after each, and have
// begun with the next one at once.
const patience = 100 * time.Microsecond

// A helper is a Sketcher with a goroutine that works for another Sketcher's batches. The goroutine
// begins with a task and ends by itself, so nothing has to be closed.
type helper struct {
	sketcher *Sketcher
	// not begun yet, or one of the marks, or nil where there is no goroutine
	task atomic.Pointer[task]
}

// Marks of a helper without a task that it could begin with. Whoever gives it one replaces the
// mark.
var (
	working = new(task) // on a task that it has begun with
	waiting = new(task) // for another one, awake
	leaving = new(task) // about to end
)

// task is work that some helpers do together.
type task struct {
	work    func(*Sketcher)
	follow  bool         // another one is likely to follow soon
	helpers atomic.Int64 // that have not finished
	// locked until they have; a WaitGroup could not be shared with the bubbles of testing/synctest
	done sync.Mutex
}

// worthWaking returns how many of the workers have so much to do that they should be woken, by the
// time that the first of all spans takes, which it does.
func worthWaking(workers, left int, first func()) int {
	start := time.Now()
	first()
	elapsed := time.Since(start)
	if elapsed <= 0 { // the clock is too coarse to tell
		return workers
	}
	return int(min(float64(workers), 1+float64(left)*float64(elapsed)/float64(2*patience)))
}

// together lets s and the helpers do the work. It returns when all that have begun are done: s does
// not wait for helpers that are too late to be of use.
func together(s *Sketcher, helpers []*helper, follow bool, work func(*Sketcher)) {
	if len(helpers) == 0 {
		work(s)
		return
	}
	t := &task{work: work, follow: follow}
	t.helpers.Store(int64(len(helpers)))
	t.done.Lock()
	for _, h := range helpers {
		h.give(t)
	}
	// also where the work panics: helpers must not write into what the caller has back
	defer func() {
		for _, h := range helpers {
			h.takeBack(t)
		}
		if !follow || !await(func() bool { return t.helpers.Load() == 0 }) {
			t.done.Lock()
		}
	}()
	work(s)
}

// finish says that one helper more is done.
func (t *task) finish() {
	if t.helpers.Add(-1) == 0 {
		t.done.Unlock()
	}
}

// afterwards is what a helper does after the task.
func (t *task) afterwards() *task {
	if t.follow {
		return waiting
	}
	return leaving
}

// give lets h begin with the task as soon as it can. Its task before has been finished or taken
// back.
func (h *helper) give(t *task) {
	if h.task.Swap(t) == nil {
		go h.run()
	}
}

// takeBack finishes the task for h if h has not begun with it.
func (h *helper) takeBack(t *task) {
	if h.task.CompareAndSwap(t, t.afterwards()) {
		t.finish()
	}
}

// run does tasks for as long as they follow each other. Every step is taken only if no task has
// been given meanwhile.
func (h *helper) run() {
	for {
		switch t := h.task.Load(); t {
		case leaving:
			if h.task.CompareAndSwap(leaving, nil) {
				return
			}
		case waiting:
			if !await(func() bool { return h.task.Load() != waiting }) {
				h.task.CompareAndSwap(waiting, leaving)
			}
		default:
			if h.task.CompareAndSwap(t, working) {
				h.do(t)
				h.task.CompareAndSwap(working, t.afterwards())
			}
		}
	}
}

// do does the task, and finishes it even where a hash ends the goroutine, as a failing test does. A
// panic ends the process, as in any goroutine.
func (h *helper) do(t *task) {
	returned := false
	defer func() {
		if reason := recover(); reason != nil {
			panic(reason) // before the caller goes on
		}
		if !returned {
			h.task.Store(nil)
		}
		t.finish()
	}()
	t.work(h.sketcher)
	returned = true
}

// await returns true as soon as the condition holds, or false after patience. It stays awake for
// this, but gives way to goroutines that have something to do, and when they take long it gives up.
func await(condition func() bool) bool {
	const (
		rounds = 2000 // at most, less than a millisecond: where the clock is coarse or stands still
		looks  = 64   // in a round
	)
	end := time.Now().Add(patience)
	for range rounds {
		for range looks {
			if condition() {
				return true
			}
		}
		before := time.Now()
		runtime.Gosched()
		if now := time.Now(); now.After(end) || now.Sub(before) > patience/10 {
			break
		}
	}
	return condition()
}
