package join

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

// crew is the workers of a join.
type crew struct {
	ctx     context.Context
	workers []*worker
	running sync.WaitGroup
	lists   sync.Pool

	progress    func(float64)
	telling     sync.Mutex
	done, parts float64 // of all stages
}

func newCrew(ctx context.Context, j *Join, p *Plan) *crew {
	c := &crew{ctx: ctx, lists: sync.Pool{New: func() any { return new([listOfPairs]near) }}, progress: j.Progress, parts: float64(p.parts())}
	for range j.workers() {
		c.workers = append(c.workers, newWorker(ctx))
	}
	return c
}

func (c *crew) wait() { c.running.Wait() }

// tell tells how much is done, one part more.
func (c *crew) tell() {
	if c.progress != nil {
		c.telling.Lock()
		defer c.telling.Unlock()
		c.done++
		c.progress(c.done / c.parts)
	}
}

// each runs f for every part of a stage, in their order, on all workers.
func (c *crew) each(s stage, f func(w *worker, part int)) {
	var next atomic.Int64
	for _, w := range c.workers {
		c.running.Go(func() {
			for i := next.Add(1) - 1; i < int64(s.parts) && c.ctx.Err() == nil; i = next.Add(1) - 1 {
				f(w, int(i))
				c.tell()
			}
		})
	}
}

// joinGroups runs the stages, and joins the groups of all pairs.
func (c *crew) joinGroups(stages iter.Seq[stage], trees forest) error {
	for s := range stages {
		s.prepare(c.ctx, len(c.workers))
		c.each(s, func(w *worker, part int) {
			w.trees = trees
			s.run(w, part, func(p near) bool {
				trees.union(p.a, p.b)
				return true
			})
		})
		if c.wait(); c.ctx.Err() != nil {
			return context.Cause(c.ctx)
		}
	}
	return nil
}

// inOrder runs the stages, and returns their pairs part by part, whichever worker had them first: a
// part that is searched before its turn waits once its queue is full.
func (c *crew) inOrder(stages iter.Seq[stage]) iter.Seq[[]near] {
	return func(yield func([]near) bool) {
		for s := range stages {
			if s.prepare(c.ctx, len(c.workers)); c.ctx.Err() != nil {
				return
			}
			for list := range c.run(s) {
				if !yield(list) {
					return
				}
			}
		}
	}
}

// run returns the lists of pairs of all parts of a stage, in the order of the parts.
func (c *crew) run(s stage) iter.Seq[[]near] {
	queues := make([]chan []near, s.parts)
	for i := range queues {
		queues[i] = make(chan []near, listsInQueue)
	}
	c.each(s, func(w *worker, part int) { c.runPart(s, w, part, queues[part]) })
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
