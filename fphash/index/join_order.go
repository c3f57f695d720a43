package index

import (
	"context"
	"iter"
	"sync"
	"sync/atomic"
)

// near is a pair by positions; those of the second set follow those of the first.
type near struct {
	a, b     uint32
	distance uint16
}

const (
	listOfPairs  = 1024 // pairs that are handed over together
	listsInQueue = 8    // of a part that is searched before its turn
)

// sink takes the pairs of one part of the work. It returns false when no more are wanted.
type sink func(near) bool

// stage is parts that may run at the same time, after prepare, which has them all to itself.
type stage struct {
	prepare func(ctx context.Context, workers int)
	parts   int
	run     func(w *worker, part int, emit sink)
}

// inOrder runs the stages on that many workers, and returns their pairs part by part, whichever
// worker had them first: a part that is searched before its turn waits once its queue is full.
func inOrder(ctx context.Context, workers int, stages iter.Seq[stage]) iter.Seq[[]near] {
	return func(yield func([]near) bool) {
		ctx, cancel := context.WithCancel(ctx)
		crew := newCrew(ctx, workers)
		defer crew.wait()
		defer cancel()
		for s := range stages {
			if s.prepare(ctx, workers); ctx.Err() != nil {
				return
			}
			for list := range crew.run(s) {
				if !yield(list) {
					return
				}
			}
		}
	}
}

// crew is the workers of a join.
type crew struct {
	ctx     context.Context
	workers []*worker
	running sync.WaitGroup
	lists   sync.Pool
}

func newCrew(ctx context.Context, n int) *crew {
	c := &crew{ctx: ctx, lists: sync.Pool{New: func() any { return new([listOfPairs]near) }}}
	for range n {
		c.workers = append(c.workers, newWorker(ctx))
	}
	return c
}

func (c *crew) wait() { c.running.Wait() }

// run returns the lists of pairs of all parts of a stage, in the order of the parts.
func (c *crew) run(s stage) iter.Seq[[]near] {
	queues := make([]chan []near, s.parts)
	for i := range queues {
		queues[i] = make(chan []near, listsInQueue)
	}
	var next atomic.Int64
	for _, w := range c.workers {
		c.running.Go(func() {
			for i := next.Add(1) - 1; i < int64(s.parts) && c.ctx.Err() == nil; i = next.Add(1) - 1 {
				c.runPart(s, w, int(i), queues[i])
			}
		})
	}
	return func(yield func([]near) bool) {
		for _, queue := range queues {
			for {
				var list []near
				var more bool
				select {
				case list, more = <-queue:
				case <-c.ctx.Done():
					return
				}
				if !more {
					break
				}
				if !yield(list) {
					return
				}
				c.lists.Put((*[listOfPairs]near)(list[:listOfPairs]))
			}
		}
		c.wait() // all parts are done, so nobody writes any more what the next stage prepares
	}
}

// runPart runs one part, and sends its pairs to the queue, which it closes.
func (c *crew) runPart(s stage, w *worker, i int, queue chan<- []near) {
	defer close(queue)
	list := c.list()
	send := func() bool {
		select {
		case queue <- list:
			list = c.list()
			return true
		case <-c.ctx.Done():
			return false
		}
	}
	s.run(w, i, func(p near) bool {
		list = append(list, p)
		return len(list) < listOfPairs || send()
	})
	if len(list) > 0 {
		send()
	}
}

func (c *crew) list() []near { return c.lists.Get().(*[listOfPairs]near)[:0] }

// everything runs the stages on that many workers, and joins the groups of all pairs.
func everything(ctx context.Context, workers int, stages iter.Seq[stage], trees forest) error {
	crew := newCrew(ctx, workers)
	for s := range stages {
		s.prepare(ctx, workers)
		var next atomic.Int64
		for _, w := range crew.workers {
			w.trees = trees
			crew.running.Go(func() {
				for i := next.Add(1) - 1; i < int64(s.parts) && ctx.Err() == nil; i = next.Add(1) - 1 {
					s.run(w, int(i), func(p near) bool {
						trees.union(p.a, p.b)
						return true
					})
				}
			})
		}
		crew.wait()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}
