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

// dense says whether many fingerprints of a bucket are near each other.
func (w *worker) dense(l *level, from, to int) bool {
	n := to - from
	if w.trees == nil || n < leastDense {
		return false
	}
	k := w.task.join.K
	var screens [sampleSize]uint32
	for i := range screens {
		screens[i] = l.screens[from+i*n/sampleSize]
	}
	pairs := 0
	w.hits = hamming.AppendNearPairs(w.hits[:0], screens[:], k)
	for _, h := range w.hits {
		a, b := l.up[from+int(h.Row)*n/sampleSize], l.up[from+int(h.Column)*n/sampleSize]
		if bits.OnesCount64(l.windows[a]^l.windows[b]) <= k {
			pairs++
		}
	}
	return pairs >= pairsOfDense
}

// compareDense joins the groups of a dense bucket. It returns false, with some of that done, if
// the bucket is better cut again.
func (w *worker) compareDense(depth, from, to int) bool {
	l, n := w.levels[depth], to-from
	largest := w.largestGroup(depth, from, to)
	looked := 0
	step := coprime(n)
	for i, at := 0, 0; i < n; i, at = i+1, (at+step)%n {
		row := from + at
		if w.trees.find(w.position(depth, l.up[row])) == w.trees.find(largest) {
			continue
		}
		w.hits = hamming.AppendNear(w.hits[:0], l.screens[row:row+1], l.screens[from:to], w.task.join.K)
		for _, h := range w.hits {
			if other := from + int(h.Column); other != row {
				w.hit(depth, uint32(min(row, other)), uint32(max(row, other)))
			}
		}
		if w.stopped() {
			return true
		}
		if looked++; looked&(looked-1) == 0 {
			if other := w.largestGroup(depth, from, to); w.trees.find(other) != w.trees.find(largest) {
				// those of the former one that were passed over have not met those of this one
				largest, i = other, -1
			}
			if looked == pivots && w.betterCut(l, n, w.outside(depth, from, to, largest)) {
				return false
			}
		}
	}
	return true
}

const pivots = 64 // fingerprints compared with all of a bucket before it may be cut after all

// betterCut says whether cutting a bucket of n again costs less than comparing that share of it with
// all.
func (w *worker) betterCut(l *level, n int, share float64) bool {
	c := w.task.plan.costs
	again, m := c.bucket(float64(n), int(l.free-l.bits))
	return m > 0 && again < 2*share*c.all(float64(n))
}

// coprime returns a number without common factors with n that leads all over a bucket of n.
func coprime(n int) int {
	step := int(float64(n)*0.618) | 1
	for gcd(step, n) != 1 {
		step += 2
	}
	return step
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

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

// outside returns how large a share of a bucket is not in the group, as a sample has it.
func (w *worker) outside(depth, from, to int, group uint32) float64 {
	var groups [2 * sampleSize]uint32
	w.sampleGroups(groups[:], depth, from, to)
	n := 0
	for _, g := range groups {
		if g != group {
			n++
		}
	}
	return float64(n) / float64(len(groups))
}

// sampleGroups fills groups with those of entries all over a bucket.
func (w *worker) sampleGroups(groups []uint32, depth, from, to int) {
	l, n := w.levels[depth], to-from
	for i := range groups {
		groups[i] = w.trees.find(w.position(depth, l.up[from+i*n/len(groups)]))
	}
}
