package join

import (
	"context"
	"iter"
	"sync"
	"sync/atomic"
)

// near is a pair by positions, those of the second set after those of the first, or by ids.
type near struct {
	a, b     uint64
	distance uint16
}

const (
	listOfPairs  = 128 // pairs that are handed over together
	listsInQueue = 16  // of a part that is searched before its turn
	partsAhead   = 4   // for each worker, that may be searched before their turn
)

// sink receives the pairs of one part of the work. It returns false to stop.
type sink func(near) bool

// stage is parts that may run concurrently, after prepare, which runs alone.
type stage struct {
	prepare func(ctx context.Context, workers int) error
	parts   int
	run     func(w *worker, part int, emit sink) error
}

// crew is the workers of a join.
type crew struct {
	ctx     context.Context
	fail    context.CancelCauseFunc // ends the work with an error
	workers []*worker
	running sync.WaitGroup
	lists   sync.Pool

	progress    func(float64)
	telling     sync.Mutex
	done, parts float64 // of all stages
}

// newCrew returns workers for that many parts.
func newCrew(ctx context.Context, workers, parts int, progress func(float64)) *crew {
	c := &crew{lists: sync.Pool{New: func() any { return new([listOfPairs]near) }}, progress: progress, parts: float64(parts)}
	c.ctx, c.fail = context.WithCancelCause(ctx)
	for range workers {
		c.workers = append(c.workers, newWorker(c.ctx))
	}
	return c
}

// end waits for the workers, after stopping them if they are not done.
func (c *crew) end() {
	c.fail(context.Canceled)
	c.wait()
}

// err returns the cause if the work ended early.
func (c *crew) err() error { return context.Cause(c.ctx) }

func (c *crew) wait() { c.running.Wait() }

// tell reports the progress after one more part.
func (c *crew) tell() {
	if c.progress != nil {
		c.telling.Lock()
		defer c.telling.Unlock()
		c.done++
		c.progress(c.done / c.parts)
	}
}

func (c *crew) prepare(s stage) {
	if err := s.prepare(c.ctx, len(c.workers)); err != nil {
		c.fail(err)
	}
}

// each runs f for every part of a stage, in order, on all workers. If ahead is not nil, a part gets
// its number only once there is room in ahead, so that a part never waits for later ones.
func (c *crew) each(s stage, ahead chan<- struct{}, f func(w *worker, part int) error) {
	var next atomic.Int64
	for _, w := range c.workers {
		c.running.Go(func() {
			for c.ctx.Err() == nil && c.enter(ahead) {
				i := next.Add(1) - 1
				if i >= int64(s.parts) {
					return
				}
				if err := f(w, int(i)); err != nil {
					c.fail(err)
					return
				}
				c.tell()
			}
		})
	}
}

// enter waits for room in ahead. It returns false when the work ends.
func (c *crew) enter(ahead chan<- struct{}) bool {
	if ahead == nil {
		return true
	}
	select {
	case ahead <- struct{}{}:
		return true
	case <-c.ctx.Done():
		return false
	}
}

// joinGroups runs the stages, and joins the groups of all pairs.
func (c *crew) joinGroups(stages iter.Seq[stage], trees forest) error {
	for s := range stages {
		c.prepare(s)
		c.each(s, nil, func(w *worker, part int) error {
			w.trees = trees
			return s.run(w, part, func(p near) bool {
				trees.union(uint32(p.a), uint32(p.b))
				return true
			})
		})
		if c.wait(); c.err() != nil {
			return c.err()
		}
	}
	return nil
}

// inOrder runs the stages and yields their pairs in the order of the parts. A part that is searched
// before its turn waits once its queue is full.
func (c *crew) inOrder(stages iter.Seq[stage]) iter.Seq[[]near] {
	return func(yield func([]near) bool) {
		for s := range stages {
			// No worker may still read what prepare overwrites.
			if c.wait(); c.ctx.Err() == nil {
				c.prepare(s)
			}
			if c.ctx.Err() != nil {
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
	ahead := make(chan struct{}, partsAhead*len(c.workers))
	c.each(s, ahead, func(w *worker, part int) error { return c.runPart(s, w, part, queues[part]) })
	return func(yield func([]near) bool) {
		for _, queue := range queues {
			for more := true; more; {
				var list []near
				select {
				case list, more = <-queue:
				case <-c.ctx.Done():
					return
				}
				if more {
					if !yield(list) {
						return
					}
					c.lists.Put((*[listOfPairs]near)(list[:listOfPairs]))
				}
			}
			<-ahead
		}
	}
}

// runPart runs one part, sends its pairs to the queue, and closes the queue.
func (c *crew) runPart(s stage, w *worker, i int, queue chan<- []near) error {
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
	err := s.run(w, i, func(p near) bool {
		list = append(list, p)
		return len(list) < listOfPairs || send()
	})
	if len(list) > 0 {
		send()
	}
	if err != nil {
		c.fail(err) // before the queue ends, behind which nobody would ask
	}
	return err
}

func (c *crew) list() []near { return c.lists.Get().(*[listOfPairs]near)[:0] }
