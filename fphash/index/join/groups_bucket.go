package join

import (
	"math/bits"
	"slices"

	"simhashkit/asm/hamming"
)

// Buckets in which much is near would cost the square of their size in pairs that say the same: who
// is in one group already need not be compared. Such a bucket is searched group by group: what is
// near a member joins the group, is compared with what is left of the bucket, and leaves it.

const (
	leastDense   = 64 // smaller buckets are compared without a look
	sampleSize   = 32 // fingerprints looked at
	pairsOfDense = 3  // near pairs among them make a bucket dense
)

// dense says whether groups are wanted, and many fingerprints of a bucket are near each other.
func (w *worker) dense(l *level, from, to int) bool {
	return w.trees != nil && to-from >= leastDense && w.nearInSample(l, from, to) >= pairsOfDense
}

// nearInSample returns how many pairs are near, by their windows, of some of a bucket.
func (w *worker) nearInSample(l *level, from, to int) int {
	n := to - from
	var screens [sampleSize]uint32
	for i := range screens {
		screens[i] = l.screens[from+share(i, n, sampleSize)]
	}
	pairs := 0
	w.hits = hamming.AppendNearPairs(w.hits[:0], screens[:], l.limit)
	for _, h := range w.hits {
		a, b := l.up[from+share(int(h.Row), n, sampleSize)], l.up[from+share(int(h.Column), n, sampleSize)]
		if bits.OnesCount64(l.windows[a]^l.windows[b]) <= w.task.table().windows {
			pairs++
		}
	}
	return pairs
}

// crowd is a dense bucket whose groups are being joined: entries by their places in the bucket.
type crowd struct {
	members []uint32 // of the group at hand: to be compared with what is left
	left    []uint32 // entries that are no members yet
	screens []uint32 // of those that are left

	compared [1 << comparedBits]compared // by a hash of the window, the last one
}

// compared is a member that was compared with what was left.
type compared struct {
	window uint64
	place  uint32 // one above that of the window in its level; 0: none
}

const comparedBits = 8

const (
	pivots = 64 // members compared with what is left of a bucket before it may be cut after all
	few    = 16 // that are left are compared with all of the bucket, which ends it
)

// compareDense joins the groups of a dense bucket. It returns false, with some of that done, if
// the bucket is better cut again.
func (w *worker) compareDense(depth, from, to int) bool {
	l, c := w.levels[depth], &w.crowd
	c.members, c.left, c.screens = c.members[:0], c.left[:0], append(c.screens[:0], l.screens[from:to]...)
	clear(c.compared[:])
	for i := range to - from {
		c.left = append(c.left, uint32(i))
	}
	for looked := 0; len(c.left) > 0 && !w.stopped(); looked++ {
		if len(c.members) == 0 { // the group is complete
			// At least this one makes the next: meanwhile another worker may give it another root.
			entry := c.left[0]
			c.take(0)
			w.takeGroup(depth, from, entry)
		}
		member := c.next(looked)
		if looked&(looked-1) == 0 { // others may have joined the group, by this bucket or by others
			w.takeGroup(depth, from, member)
		}
		if looked == pivots && w.worthCutting(depth, from, to) && w.betterCut(l, to-from, float64(len(c.left))/float64(to-from)) {
			return false
		}
		if len(c.left) <= few && len(c.members) > few {
			w.compareLeft(depth, from, to)
			return true
		}
		w.compareMember(depth, from, member)
	}
	return true
}

// takeGroup makes all that are left of an entry's group members.
func (w *worker) takeGroup(depth, from int, entry uint32) {
	up := w.levels[depth].up[from:]
	root := w.root(depth, up[entry])
	for i := len(w.crowd.left) - 1; i >= 0; i-- {
		if w.root(depth, up[w.crowd.left[i]]) == root {
			w.crowd.take(i)
		}
	}
}

// compareMember joins a member with what is left and near it. What is near a copy of one that was
// compared has joined: thousands of copies would be compared with all groups but their own.
func (w *worker) compareMember(depth, from int, member uint32) {
	l, c := w.levels[depth], &w.crowd
	u := l.up[from+int(member)]
	window := l.windows[u]
	before := &c.compared[window*0x9E3779B97F4A7C15>>(64-comparedBits)]
	if before.window == window && before.place > 0 && w.equal(depth, before.place-1, u) {
		return
	}
	*before = compared{window, u + 1}
	w.hits = hamming.AppendNear(w.hits[:0], l.screens[from+int(member):][:1], c.screens, l.limit)
	for _, h := range slices.Backward(w.hits) {
		other := c.left[h.Column]
		w.hit(depth, uint32(from)+min(member, other), uint32(from)+max(member, other))
		if w.root(depth, l.up[from+int(other)]) == w.root(depth, l.up[from+int(member)]) {
			c.take(int(h.Column))
		}
	}
}

// equal reports whether two entries with the same window are copies.
func (w *worker) equal(depth int, a, b uint32) bool {
	j := w.task.join
	return w.windowIsWhole() || slices.Equal(j.at(w.position(depth, a)), j.at(w.position(depth, b)))
}

// compareLeft joins what is left with all that is near.
func (w *worker) compareLeft(depth, from, to int) {
	l := w.levels[depth]
	for _, entry := range w.crowd.left {
		w.hits = hamming.AppendNear(w.hits[:0], l.screens[from+int(entry):][:1], l.screens[from:to], l.limit)
		for _, h := range w.hits {
			if h.Column != entry {
				w.hit(depth, uint32(from)+min(entry, h.Column), uint32(from)+max(entry, h.Column))
			}
		}
	}
}

// next takes one of the members from anywhere among them: those that joined one after the other are
// near the same ones.
func (c *crowd) next(looked int) (member uint32) {
	last, at := len(c.members)-1, uint(looked)*7919%uint(len(c.members))
	member, c.members[at] = c.members[at], c.members[last]
	c.members = c.members[:last]
	return member
}

// take makes one that is left a member. The last one takes its place.
func (c *crowd) take(i int) {
	last := len(c.left) - 1
	c.members = append(c.members, c.left[i])
	c.left[i], c.screens[i] = c.left[last], c.screens[last]
	c.left, c.screens = c.left[:last], c.screens[:last]
}

// betterCut says whether cutting a bucket of n again costs less than comparing that share of it
// with all.
func (w *worker) betterCut(l *level, n int, share float64) bool {
	c := w.task.plan.costs
	again, m := c.bucket(float64(n), int(l.free-l.bits))
	return m > 0 && again < 2*share*c.all(float64(n))
}
