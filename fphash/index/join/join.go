// Package join finds all pairs of near-duplicates among fingerprints, exactly or with a given
// recall, and the groups that they form.
//
//	j := join.Join{Set: set, K: 3}
//	for pair, err := range j.Pairs(ctx) {
//		// pair.A and pair.B differ in pair.Distance bits
//	}
//
// # How it works
//
// If two fingerprints differ in at most k bits and are cut into k+1 blocks, they agree in at least
// one block. So the join groups fingerprints by each block in turn, and compares those that agree
// in it. Large groups are divided further, by blocks of the remaining bits. (Manku, Jain, Das
// Sarma: Detecting Near-Duplicates for Web Crawling, WWW 2007.)
//
// If k is large, such blocks are short, and many unrelated pairs agree in one. The join then uses
// fewer and longer blocks in which pairs may differ in a few bits. (Norouzi, Punjani, Fleet: Fast
// Search in Hamming Space with Multi-Index Hashing, CVPR 2012.)
//
// # Recall
//
// Usually one needs the pairs with a given similarity, rather than the pairs within k bits. In such
// a pair, each of the f bits differs with a probability p: arccos(c)/π for simhashes with cosine c,
// (1-J)/2 for 1-bit MinHashes with Jaccard similarity J. The distance then has a binomial
// distribution, so there is a smallest k that includes a given share of these pairs. Most of them
// are much nearer: for f = 128 and p = 0.123, k is 25 for 99%, while the mean distance is 16.
//
// A table with keys of b bits finds a pair at distance d with a probability of about (1-d/f)^b, and
// L tables find it with 1-(1-(1-d/f)^b)^L. The expected recall is the sum of the latter over all d
// up to k, weighted by the probability of distance d. A join with Recall uses the cheapest tables
// that reach it, or the exact join if that costs less. Plan.Recall returns the expected recall, and
// SamplePairs finds all pairs of a sample, to measure the recall.
package join

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"sync"
	"sync/atomic"

	"simhashkit/fphash/index"
)

// Join finds all pairs of fingerprints of a set that differ in at most K bits.
//
// In addition to the set, a Join by blocks needs 12 bytes per fingerprint, and a part of that for
// each worker. If pairs may differ in the blocks, it needs 40 bytes per fingerprint and, if there
// are copies, the words of the distinct fingerprints. Plan describes the method and its cost.
type Join struct {
	Set     *index.Set
	K       int // 0 or more
	Workers int // goroutines; 0 means GOMAXPROCS

	// Differ, if not 0, is the probability that a bit differs in a pair with the required
	// similarity: arccos(c)/π for simhashes with cosine c, (1-J)/2 for 1-bit MinHashes with Jaccard
	// similarity J. Recall, if not 0, is the required expected share of these pairs. Most of them
	// are much nearer than K, so this takes less time than the exact join, which finds all pairs
	// within K. Every pair found is within K. The join is exact if that costs no more, or if fewer
	// of these pairs than Recall are within K. See Plan.Recall.
	//
	// A join with Recall compares fingerprints that agree in bits drawn at random from Seed: the
	// same seed finds the same pairs on every machine. (Indyk, Motwani: Approximate Nearest
	// Neighbors, STOC 1998.)
	Differ float64 // 0, or between 0 and 1
	Recall float64 // 0, or between 0 and 1; requires Differ
	Seed   uint64

	// Progress, if not nil, is called periodically with the finished share of the work, from 0 to
	// 1, by one goroutine at a time.
	Progress func(done float64)

	compared *atomic.Int64 // if not nil, counts the pairs that scans and crowds compare
}

// Pair is a pair of near fingerprints, in the order of the set.
type Pair struct {
	A, B     uint64 // ids
	Distance int    // number of bits in which they differ
}

// Pairs yields all pairs, each once, in an order that depends only on the set and K. It ends with
// an error and a meaningless pair if Set.Check returns an error or if the context is done.
//
// The search stops when about 200 KB of pairs per worker are waiting to be read, so a slow reader
// slows it down. A thousand copies of one fingerprint are half a million pairs, but one group of
// Groups.
func (j *Join) Pairs(ctx context.Context) iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) {
		if err := j.check(); err != nil {
			yield(Pair{}, err)
			return
		}
		plan := j.plan()
		j.pairs(ctx, &plan, yield)
	}
}

// pairs yields all pairs, found with the given plan.
func (j *Join) pairs(ctx context.Context, p *Plan, yield func(Pair, error) bool) {
	crew := newCrew(ctx, j.workers(), p.parts(j), j.Progress)
	defer crew.end()
	for list := range crew.inOrder(p.stages(j, nil)) {
		for _, n := range list {
			if !yield(Pair{j.Set.ID(int(n.a)), j.Set.ID(int(n.b)), int(n.distance)}, nil) {
				return
			}
		}
	}
	if err := crew.err(); err != nil {
		yield(Pair{}, err)
	}
}

func (j *Join) workers() int { return cmp.Or(j.Workers, runtime.GOMAXPROCS(0)) }

// count adds to the number of pairs that scans and crowds compared.
func (j *Join) count(pairs int) {
	if j.compared != nil {
		j.compared.Add(int64(pairs))
	}
}

func (j *Join) check() error {
	if j.Set == nil {
		return errors.New("join: a Join without a Set")
	}
	if j.K < 0 {
		return fmt.Errorf("join: pairs within %d bits, expected 0 or more", j.K)
	}
	if err := checkRecall(j.Recall, j.Differ); err != nil {
		return err
	}
	if j.Workers < 0 {
		return fmt.Errorf("join: %d workers, expected 0 or more", j.Workers)
	}
	return j.Set.Check()
}

func checkRecall(recall, differ float64) error {
	switch {
	case !(recall >= 0 && recall < 1):
		return fmt.Errorf("join: Recall = %v, want 0 ≤ Recall < 1 (0 finds all pairs)", recall)
	case !(differ >= 0 && differ < 1):
		return fmt.Errorf("join: Differ = %v, want 0 ≤ Differ < 1", differ)
	case recall > 0 && differ == 0:
		return fmt.Errorf("join: Recall = %v requires Differ, the probability that a bit differs in a required pair", recall)
	}
	return nil
}

// near is a near pair, by positions.
type near struct {
	a, b     uint32
	distance uint16
}

const (
	listOfPairs  = 128 // number of pairs that are sent together
	listsInQueue = 16  // size of the queue of a part
	partsAhead   = 4   // parts per worker that may be searched before their turn
)

// sink receives the pairs of one part of the work. It returns false to stop.
type sink func(near) bool

// stage is a sequence of parts that may run concurrently, after prepare, which runs alone.
type stage struct {
	prepare func(ctx context.Context, workers int) error
	parts   int
	run     func(w *worker, part int, emit sink) error
}

type crew struct {
	ctx     context.Context
	fail    context.CancelCauseFunc // ends the work with an error
	workers []*worker
	running sync.WaitGroup

	progress    func(float64)
	telling     sync.Mutex
	done, parts float64 // finished and total number of parts of all stages
}

// newCrew returns a crew for the given total number of parts.
func newCrew(ctx context.Context, workers, parts int, progress func(float64)) *crew {
	c := &crew{progress: progress, parts: float64(parts)}
	c.ctx, c.fail = context.WithCancelCause(ctx)
	for range workers {
		c.workers = append(c.workers, newWorker(c.ctx))
	}
	return c
}

// end stops the workers if they are not done, and waits for them.
func (c *crew) end() {
	c.fail(context.Canceled)
	c.running.Wait()
}

// err returns the cause if the work ended early, otherwise nil.
func (c *crew) err() error { return context.Cause(c.ctx) }

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

// each runs f for every part of a stage, in order, on all workers. Before each part, it sends to
// ahead, so that few parts run before their turn.
func (c *crew) each(s stage, ahead chan<- struct{}, f func(w *worker, part int) error) {
	var next atomic.Int64
	for _, w := range c.workers {
		c.running.Go(func() {
			for {
				select {
				case ahead <- struct{}{}:
				case <-c.ctx.Done():
					return
				}
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

// joinGroups runs the stages, and joins the groups of each pair found.
func (c *crew) joinGroups(stages iter.Seq[stage], trees forest) error {
	for s := range stages {
		c.prepare(s)
		c.each(s, make(chan struct{}, s.parts+len(c.workers)), func(w *worker, part int) error {
			w.trees = trees
			return s.run(w, part, func(p near) bool {
				trees.union(p.a, p.b)
				return true
			})
		})
		if c.running.Wait(); c.err() != nil {
			return c.err()
		}
	}
	return nil
}

// inOrder runs the stages and yields their pairs in the order of the parts. A part that is searched
// before its turn waits when its queue is full.
func (c *crew) inOrder(stages iter.Seq[stage]) iter.Seq[[]near] {
	return func(yield func([]near) bool) {
		for s := range stages {
			// prepare overwrites data that running workers may read, so wait for them.
			if c.running.Wait(); c.ctx.Err() == nil {
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

// run yields the lists of pairs of all parts of a stage, in the order of the parts.
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
				if more && !yield(list) {
					return
				}
			}
			<-ahead
		}
	}
}

// runPart runs one part, sends its pairs to the queue, and closes the queue.
func (c *crew) runPart(s stage, w *worker, i int, queue chan<- []near) error {
	defer close(queue)
	var list []near
	send := func() bool {
		select {
		case queue <- list:
			list = nil
			return true
		case <-c.ctx.Done():
			return false
		}
	}
	err := s.run(w, i, func(p near) bool {
		if list == nil {
			list = make([]near, 0, listOfPairs)
		}
		list = append(list, p)
		return len(list) < listOfPairs || send()
	})
	if len(list) > 0 {
		send()
	}
	if err != nil {
		c.fail(err) // before the queue is closed: later, nobody checks for errors
	}
	return err
}
