package join

import (
	"math/bits"

	"simhashkit/asm/hamming"
)

// Buckets in which much is near would cost the square of their size in pairs that say the same: who
// is in one group already need not be compared. In such a bucket, those outside its largest group
// are compared with all.

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

// compareDense joins the groups of a dense bucket. It returns false, with some of that done, if
// the bucket is better cut again.
//
// Each row is compared with all that are outside the largest group, and with those inside until one
// is near: the others of these are in its group then. As the group grows, less and less is outside.
func (w *worker) compareDense(depth, from, to int) bool {
	w.crowd.begin(to - from)
	for looked := 0; ; looked++ {
		if looked&(looked-1) == 0 {
			w.crowd.separate(w, depth, from, w.largestGroup(depth, from, to))
			if looked == pivots && w.betterCut(w.levels[depth], to-from, w.crowd.shareOutside()) {
				return false
			}
		}
		row, ok := w.crowd.next(w, depth, from)
		if !ok || w.stopped() {
			return true
		}
		w.compareRow(depth, from, row)
	}
}

// compareRow compares a row with all that are outside, and with those inside until one is near.
func (w *worker) compareRow(depth, from int, row uint32) {
	l, c := w.levels[depth], &w.crowd
	screen := l.screens[from+int(row) : from+int(row)+1]
	w.hits = hamming.AppendNear(w.hits[:0], screen, c.outside.screens, l.limit)
	w.rowHits(depth, from, row, c.outside.entries)
	for in := c.inside; len(in.entries) > 0 && !w.inLargest(depth, from, row); {
		n := min(len(in.entries), crowdTogether)
		w.hits = hamming.AppendNear(w.hits[:0], screen, in.screens[:n], l.limit)
		w.rowHits(depth, from, row, in.entries[:n])
		in.entries, in.screens = in.entries[n:], in.screens[n:]
	}
}

// crowdTogether is how many of the largest group a row is compared with at a time.
const crowdTogether = 2048

// rowHits joins the groups of a row and of what it has been found near.
func (w *worker) rowHits(depth, from int, row uint32, columns []uint32) {
	for _, h := range w.hits {
		if other := columns[h.Column]; other != row {
			w.hit(depth, uint32(from)+min(row, other), uint32(from)+max(row, other))
		}
	}
}

func (w *worker) inLargest(depth, from int, row uint32) bool {
	return w.root(depth, w.levels[depth].up[from+int(row)]) == w.trees.find(w.crowd.largest)
}

// betterCut says whether cutting a bucket of n again costs less than comparing that share of it
// with all.
func (w *worker) betterCut(l *level, n int, share float64) bool {
	c := w.task.plan.costs
	again, m := c.bucket(float64(n), int(l.free-l.bits))
	return m > 0 && again < 2*share*c.all(float64(n))
}

const pivots = 64 // fingerprints compared with all of a bucket before it may be cut after all

// largestGroup returns the first of the group that has the most of a sample of a bucket.
func (w *worker) largestGroup(depth, from, to int) (largest uint32) {
	var groups [sampleSize]uint32
	w.sampleGroups(groups[:], depth, from, to)
	most := 0
	for _, g := range groups {
		n := 0
		for _, other := range groups {
			if other == g {
				n++
			}
		}
		if n > most {
			most, largest = n, g
		}
	}
	return largest
}

// sampleGroups fills groups with those of entries all over a bucket.
func (w *worker) sampleGroups(groups []uint32, depth, from, to int) {
	l, n := w.levels[depth], to-from
	for i := range groups {
		groups[i] = w.root(depth, l.up[from+share(i, n, len(groups))])
	}
}
