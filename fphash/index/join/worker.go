package join

import (
	"context"
	"math/bits"
	"slices"

	"simhashkit/asm/hamming"
)

// worker searches partitions with its own buffers.
type worker struct {
	ctx        context.Context
	levels     []*level
	hits       []hamming.NearPair
	difference []uint64 // difference of the last pair
	query      []hamming.QueryMatch
	crowd      crowd

	task  task
	emit  sink
	trees forest                       // forest of the groups; nil if pairs are wanted
	ids   func(position uint32) uint32 // number of a position in trees; nil: the position
	depth int                          // depth of nested joins of crowds
	full  bool                         // whether no more pairs are wanted
}

type task struct {
	join      *Join
	plan      *Plan
	number    int // number of the table
	windows   []uint64
	positions []uint32
}

func (t *task) table() *table { return &t.plan.tables[t.number] }

func newWorker(ctx context.Context) *worker { return &worker{ctx: ctx} }

// search emits the pairs of a task whose keys agree.
func (w *worker) search(t task, emit sink) {
	w.task, w.emit, w.full = t, emit, false
	w.level(0).sortPartition(&w.task)
	w.buckets(0)
}

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

// searchBucket emits the pairs of a bucket in the cheapest way.
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

func (w *worker) stopped() bool { return w.full || w.ctx.Err() != nil }

// worthCutting reports whether cutting a bucket would separate its entries. Copies would stay
// together and be compared again after each further cut. So it returns false for a bucket with most
// entries of the level above, and for one in which most entries are near each other.
func (w *worker) worthCutting(depth, from, to int) bool {
	l := w.levels[depth]
	if depth > 0 && 2*(to-from) > len(l.windows) {
		return false
	}
	return 2*w.nearInSample(l, from, to) < sampleSize*(sampleSize-1)/2
}

// splitBucket cuts a bucket by each block of m bits among its free bits, starting at the lowest. A
// near pair agrees in one of these blocks.
func (w *worker) splitBucket(depth, from, to int, m uint) {
	parent, l := w.levels[depth], w.level(depth+1)
	l.gather(parent, from, to)
	l.limit = w.task.table().windows
	for u := range uint(w.task.plan.costs.cut) {
		l.sort(u*m, m)
		w.buckets(depth + 1)
		if w.stopped() {
			return
		}
	}
}

// group returns the root of the group of the fingerprint at a position.
func (w *worker) group(position uint32) uint32 { return w.trees.find(w.id(position)) }

// id returns the number of a position in the forest.
func (w *worker) id(position uint32) uint32 {
	if w.ids != nil {
		return w.ids(position)
	}
	return position
}

func (w *worker) level(depth int) *level {
	for len(w.levels) <= depth {
		w.levels = append(w.levels, new(level))
	}
	return w.levels[depth]
}

// level holds entries grouped by a key: a partition grouped by the rest of its block, or a bucket
// of the level above grouped by another block.
type level struct {
	windows []uint64 // not sorted by key
	free    uint     // number of low bits of the windows that need not agree

	shift, bits uint     // position and width of the key in the windows
	ends        []uint32 // end of each bucket
	up          []uint32 // index in windows, sorted by bucket
	screens     []uint32 // screenBits of the window, in the same order
	limit       int      // maximum number of differing bits in the screens of a pair

	from   int      // index of the first window in the level above
	bucket []uint64 // buffer for gathered windows
}

// sort groups the windows by the bits at shift. Entries with the same key keep their order.
func (l *level) sort(shift, width uint) {
	l.shift, l.bits = shift, width
	n, mask := len(l.windows), uint64(1)<<width-1
	l.ends = slices.Grow(l.ends[:0], 1<<width)[:1<<width]
	l.up = slices.Grow(l.up[:0], n)[:n]
	l.screens = slices.Grow(l.screens[:0], n)[:n]
	ends, up, screens := l.ends, l.up, l.screens
	clear(ends)
	for _, x := range l.windows {
		ends[x>>(shift&63)&mask]++
	}
	at := uint32(0)
	for i, count := range ends {
		ends[i] = at
		at += count
	}
	turn := -int(l.screenAt())
	for i, x := range l.windows {
		end := &ends[x>>(shift&63)&mask]
		o := *end
		*end = o + 1
		up[o] = uint32(i)
		screens[o] = uint32(bits.RotateLeft64(x, turn))
	}
}

// screenBits is the number of bits that are compared first.
const screenBits = 32

// screenAt returns the lowest bit of the screens. Screens are directly below the key, or where they
// contain the fewest bits of the key.
func (l *level) screenAt() uint {
	above := l.shift + l.bits
	switch {
	case l.shift >= screenBits:
		return l.shift - screenBits
	case l.free-above < l.shift:
		return 0
	}
	return above
}

// gather copies the windows of a bucket of the level above to this level, without the bits that
// agree.
func (l *level) gather(above *level, from, to int) {
	l.from, l.free = from, above.free-above.bits
	l.bucket = slices.Grow(l.bucket[:0], to-from)[:to-from]
	l.windows = l.bucket
	below := uint64(1)<<above.shift - 1
	for i, u := range above.up[from:to] {
		x := above.windows[u]
		l.windows[i] = x&below | x>>above.bits&^below
	}
}

// sortPartition groups the entries of a partition by the rest of their keys.
func (l *level) sortPartition(t *task) {
	l.windows, l.free = t.windows, uint(windowBits(t.join.Set.Bits))-t.plan.first
	shift := l.free - t.plan.second
	if l.limit = t.table().windows; shift >= screenBits {
		l.limit = t.table().screens
	}
	l.sort(shift, t.plan.second)
}

// tile is the number of fingerprints that are compared at a time. It bounds the number of matches.
const tile = 512

// compare emits the pairs of a bucket by comparing all entries.
func (w *worker) compare(depth, from, to int) {
	l := w.levels[depth]
	for r := from; r < to; r += tile {
		r2 := min(r+tile, to)
		for c := r; c < to; c += tile {
			c2 := min(c+tile, to)
			if r == c { // each pair once
				w.hits = hamming.AppendNearPairs(w.hits[:0], l.screens[r:r2], l.limit)
			} else {
				w.hits = hamming.AppendNear(w.hits[:0], l.screens[r:r2], l.screens[c:c2], l.limit)
			}
			for _, h := range w.hits {
				if !w.hit(depth, uint32(r)+h.Row, uint32(c)+h.Column) {
					return
				}
			}
			if to-from > tile && w.stopped() {
				return
			}
		}
	}
}

// position returns the position of entry u of a level.
func (w *worker) position(depth int, u uint32) uint32 {
	for ; depth > 0; depth-- {
		u = w.levels[depth-1].up[w.levels[depth].from+int(u)]
	}
	return w.task.positions[u]
}

// hit emits the pair of the entries a and b of a level, if they are near and no earlier key of this
// level or the levels above compared them. It returns false if no more pairs are wanted.
func (w *worker) hit(depth int, a, b uint32) bool {
	for ; ; depth-- {
		l := w.levels[depth]
		a, b = l.up[a], l.up[b]
		d := l.windows[a] ^ l.windows[b]
		if bits.OnesCount64(d) > w.task.table().windows {
			return true
		}
		if depth == 0 {
			return w.pair(w.task.positions[a], w.task.positions[b])
		}
		for u := uint(0); u < l.shift; u += l.bits {
			if d>>u&(1<<l.bits-1) == 0 {
				return true
			}
		}
		a, b = a+uint32(l.from), b+uint32(l.from)
	}
}

// pair emits the pair at two positions, if it is near and this table reports it.
func (w *worker) pair(a, b uint32) bool {
	t := &w.task
	if w.trees != nil && w.group(a) == w.group(b) {
		return true
	}
	a, b = min(a, b), max(a, b)
	distance := w.differ(a, b)
	if distance > t.join.K || !t.plan.reports(t.number, w.difference, w.trees != nil) {
		return true
	}
	w.full = !w.emit(near{a, b, uint16(distance)})
	return !w.full
}

// differ sets w.difference to the bits in which two fingerprints differ, and returns the number of
// these bits.
func (w *worker) differ(a, b uint32) (distance int) {
	set := w.task.join.Set
	w.difference = w.difference[:0]
	y := set.At(int(b))
	for i, x := range set.At(int(a)) {
		w.difference = append(w.difference, x^y[i])
		distance += bits.OnesCount64(x ^ y[i])
	}
	return distance
}

// Numbers of fingerprints that a scan compares at a time.
const (
	scanRows    = 256
	scanColumns = 4096
)

func scanParts(rows int) int { return (rows + scanRows - 1) / scanRows }

// scanStage compares all pairs of fingerprints. For groups, it searches a set with many near pairs
// as one crowd, in its first part.
func scanStage(j *Join, groups bool) stage {
	crowd := groups && isDense(j)
	return stage{
		prepare: func(context.Context, int) error { return nil },
		parts:   scanParts(j.Set.Len()),
		run: func(w *worker, part int, emit sink) error {
			from := part * scanRows
			if crowd {
				if part == 0 {
					w.joinAll(j)
				}
				return nil
			}
			w.scan(j, from, min(from+scanRows, j.Set.Len()), emit)
			return nil
		},
	}
}

// isDense reports whether a sample of the fingerprints of a set has many near pairs.
func isDense(j *Join) bool {
	n, stride := j.Set.Len(), j.Set.Stride()
	if n < leastDense {
		return false
	}
	words := make([]uint64, 0, sampleSize*stride)
	for i := range sampleSize {
		words = append(words, j.Set.At(share(i, n, sampleSize))...)
	}
	near := hamming.AppendWithinBatch(nil, words, words, stride, j.K)
	return (len(near)-sampleSize)/2 >= pairsOfDense // without the pairs of each with itself, and each once
}

// joinAll joins the groups of a whole set, searched as a crowd.
func (w *worker) joinAll(j *Join) {
	w.task, w.full = task{join: j}, false
	w.crowd.reset(j.Set)
	for i := range j.Set.Len() {
		w.crowd.ids = append(w.crowd.ids, uint32(i))
	}
	w.joinCrowd()
}

// scan emits the pairs whose first fingerprint is at a position from ≤ a < to.
func (w *worker) scan(j *Join, from, to int, emit sink) {
	stride := j.Set.Stride()
	for c := from + 1; c < j.Set.Len(); c += scanColumns {
		c2 := min(c+scanColumns, j.Set.Len())
		j.count((to - from) * (c2 - c))
		w.query = hamming.AppendWithinBatch(w.query[:0], j.Set.Words[c*stride:c2*stride], j.Set.Words[from*stride:to*stride], stride, j.K)
		for _, m := range w.query {
			a, b := from+m.Query, c+m.Index
			if b <= a {
				continue
			}
			if w.full = !emit(near{uint32(a), uint32(b), uint16(m.Distance)}); w.full {
				return
			}
		}
		if w.stopped() {
			return
		}
	}
}
