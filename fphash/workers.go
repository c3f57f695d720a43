package fphash

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// workerTime is how much work a further worker must have to be started. To wake a processor takes
// the system up to 100 µs on a virtual machine. Where that processor turns out to be busy with
// something else, this has been spent in vain, and should be little beside the work.
const workerTime = 500 * time.Microsecond

// worthStarting returns how many of the workers have enough to do, the caller included, by the time
// that the spans took that are done.
func worthStarting(workers, left, done int, elapsed time.Duration) int {
	work := float64(elapsed) / float64(done) * float64(left)
	return int(min(float64(workers), 1+work/float64(workerTime)))
}

// sharedWork is a number of spans that several workers take, a few at a time.
type sharedWork struct {
	do      func(s *buffers, from, to int) // does the spans [from, to)
	spans   int64
	step    int64        // how many are taken at a time
	next    atomic.Int64 // the first span not yet taken
	workers sync.WaitGroup
	failure atomic.Pointer[failure] // of the first worker that failed
}

// failure is how a worker ended before its time: by a panic with the reason, or by runtime.Goexit,
// whose reason is nil.
type failure struct{ reason any }

// share does the spans [first, spans), each once: the caller with s, and a goroutine with each of
// the helpers. When it returns or panics, all of them have ended. A hash that panics or ends its
// goroutine on a helper's does the same to the caller.
func share(s *buffers, helpers []*buffers, first, spans, step int, do func(s *buffers, from, to int)) {
	w := &sharedWork{do: do, spans: int64(spans), step: int64(step)}
	w.next.Store(int64(first))
	for _, helper := range helpers {
		w.workers.Go(func() { w.help(helper) })
	}
	w.lead(s)
	if f := w.failure.Load(); f != nil {
		if f.reason == nil {
			runtime.Goexit()
		}
		panic(f.reason)
	}
}

// lead takes spans on the caller's goroutine and waits for the helpers, also where a hash panics:
// they must not write into what the caller has back.
func (w *sharedWork) lead(s *buffers) {
	defer w.workers.Wait()
	defer w.stop()
	w.work(s)
}

// help takes spans on a goroutine of its own, and keeps how it failed for the caller.
func (w *sharedWork) help(s *buffers) {
	returned := false
	defer func() {
		if !returned {
			w.failure.CompareAndSwap(nil, &failure{recover()})
			w.stop()
		}
	}()
	w.work(s)
	returned = true
}

// work takes spans until none is left.
func (w *sharedWork) work(s *buffers) {
	for {
		to := w.next.Add(w.step)
		from := to - w.step
		if from >= w.spans {
			return
		}
		w.do(s, int(from), int(min(to, w.spans)))
	}
}

// stop leaves no span to take.
func (w *sharedWork) stop() { w.next.Store(w.spans) }
