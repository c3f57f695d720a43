package fphash

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// patience is how long a helper without work waits for more before it ends, and how long a caller waits for helpers before it sleeps. It is about what it
// takes to wake a processor that sleeps (100 µs on a virtual machine), so that waiting never costs more than twice what is best. With it, a program that
// sketches one batch after the other has all workers at once, as if they had never stopped.
const patience = 100 * time.Microsecond

// A helper is a Sketcher with a goroutine that works for another Sketcher's batches. The goroutine begins with a task and ends by itself soon after the
// last one, so nothing has to be closed.
type helper struct {
	sketcher *Sketcher
	task     atomic.Pointer[task] // to be done, or waiting or working, or nil where there is no goroutine
}

// What a helper's goroutine does while it has no task that it can be given or that can be taken back.
var waiting, working = new(task), new(task)

// task is work that some helpers do together.
type task struct {
	work    func(*Sketcher)
	helpers atomic.Int64 // that have not finished
	done    sync.WaitGroup
}

// together lets s and the helpers do the work, all of them at the same time. It returns when it is done, and does not wait for helpers that have not begun by then.
func together(s *Sketcher, helpers []*helper, work func(*Sketcher)) {
	t := &task{work: work}
	t.helpers.Store(int64(len(helpers)))
	t.done.Add(len(helpers))
	for _, h := range helpers {
		h.give(t)
	}
	work(s)
	for _, h := range helpers {
		h.takeBack(t)
	}
	if !await(func() bool { return t.helpers.Load() == 0 }) {
		t.done.Wait()
	}
}

func (t *task) finish() {
	t.helpers.Add(-1)
	t.done.Done()
}

// give lets h begin with the task as soon as it can. Its task before has been finished or taken back.
func (h *helper) give(t *task) {
	if h.task.Swap(t) == nil {
		go h.run()
	}
}

// takeBack finishes the task for h if h has not begun with it.
func (h *helper) takeBack(t *task) {
	if h.task.CompareAndSwap(t, waiting) {
		t.finish()
	}
}

// run does tasks until there has been none for a while.
func (h *helper) run() {
	for {
		t := h.task.Load()
		if t == waiting {
			if !await(func() bool { return h.task.Load() != waiting }) && h.task.CompareAndSwap(waiting, nil) {
				return
			}
		} else if h.task.CompareAndSwap(t, working) {
			t.work(h.sketcher)
			t.finish()
			h.task.CompareAndSwap(working, waiting) // unless there is another one already
		}
	}
}

// await returns true as soon as the condition holds, or false after a while. It stays awake for this, but gives way to goroutines that have something to do, and then gives up at once.
func await(condition func() bool) bool {
	const looks = 64 // between two looks at the clock: less than a microsecond
	now := time.Now()
	end := now.Add(patience)
	for {
		for range looks {
			if condition() {
				return true
			}
		}
		before := time.Now()
		runtime.Gosched()
		now = time.Now()
		if now.After(end) || now.Sub(before) > patience/10 {
			return condition()
		}
	}
}
