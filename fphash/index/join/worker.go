package join

import (
	"context"

	"simhashkit/asm/hamming"
)

// worker searches one partition after the other, in memory of its own.
type worker struct {
	ctx        context.Context
	levels     []*level
	hits       []hamming.NearPair
	difference []uint64 // of a pair
	query      []hamming.QueryMatch
	crowd      crowd
	others     []uint32 // entries of a bucket that are not in the group of most

	task        task
	emit        sink
	trees       forest                       // of the groups, where they are what is wanted
	ids         func(position uint64) uint64 // what the trees call a position; nil: that is the position
	depth       int                          // of joins of crowds in each other
	spent, most float64                      // costs, and how much they may be; 0: no end
	full        bool                         // no more pairs are wanted
}

// task is the search of one partition.
type task struct {
	join      *Join
	plan      *Plan
	number    int // of the table
	windows   []uint64
	positions []uint32
	second    uint32 // positions from here on are of the second set
}

func (t *task) table() *table { return &t.plan.tables[t.number] }

func newWorker(ctx context.Context) *worker { return &worker{ctx: ctx} }

// search emits the pairs of a task whose keys agree.
func (w *worker) search(t task, emit sink) {
	w.task, w.emit, w.full = t, emit, false
	w.level(0).sortPartition(&w.task)
	w.buckets(0)
}

// buckets searches all buckets of a level.
func (w *worker) buckets(depth int) {
	l := w.levels[depth]
	from := 0
	for i, to := range l.ends {
		if w.full || i%64 == 0 && w.stopped() {
			return
		}
		if to := int(to); to-from > 1 {
			w.searchBucket(depth, from, to)
		}
		from = int(to)
	}
}

// searchBucket emits the pairs of a bucket, in the way that costs least.
func (w *worker) searchBucket(depth, from, to int) {
	l := w.levels[depth]
	if w.crowds(l, from, to) {
		w.joinBucket(depth, from, to)
		return
	}
	_, m := w.task.plan.costs.bucket(float64(to-from), int(l.free-l.bits))
	if m > 0 && w.worthCutting(depth, from, to) {
		w.splitBucket(depth, from, to, uint(m))
	} else {
		w.compare(depth, from, to)
	}
}

func (w *worker) stopped() bool {
	return w.full || w.most > 0 && w.spent > w.most || w.ctx.Err() != nil
}

// worthCutting says whether cutting a bucket tells its entries apart. Copies stay together by
// whatever they are cut, and cut again and again they would be compared as often: a bucket that has
// most of the one above is not cut, nor one in which most are near each other.
func (w *worker) worthCutting(depth, from, to int) bool {
	l := w.levels[depth]
	if depth > 0 && 2*(to-from) > len(l.windows) {
		return false
	}
	return 2*w.nearInSample(l, from, to) < sampleSize*(sampleSize-1)/2
}

// splitBucket cuts a bucket by each of the blocks of m bits at the bottom of its free bits, in one
// of which a pair agrees.
func (w *worker) splitBucket(depth, from, to int, m uint) {
	parent, l := w.levels[depth], w.level(depth+1)
	l.gather(parent, from, to)
	l.limit = w.task.table().windows
	for u := range uint(w.task.plan.costs.cut) {
		l.sort(u*m, m)
		w.spent += float64(costOfSorting * (to - from))
		w.buckets(depth + 1)
		if w.stopped() {
			return
		}
	}
}

// root returns the first of the group of the entry that is at u in a level's windows.
func (w *worker) root(depth int, u uint32) uint32 {
	return w.group(w.position(depth, u))
}

// group returns the first of the group of the fingerprint at a position.
func (w *worker) group(position uint32) uint32 { return w.trees.find(w.id(position)) }

// id returns what the trees call a position.
func (w *worker) id(position uint32) uint32 {
	if w.ids != nil {
		return uint32(w.ids(uint64(position)))
	}
	return position
}

func (w *worker) level(depth int) *level {
	for len(w.levels) <= depth {
		w.levels = append(w.levels, new(level))
	}
	return w.levels[depth]
}
