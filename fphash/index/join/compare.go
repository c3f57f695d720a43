package join

import (
	"math/bits"
	"slices"

	"simhashkit/asm/hamming"
)

// tile is how many fingerprints are compared with how many others at a time, so that what is found
// has an end even if everything is near.
const tile = 512

// compare emits the pairs of a bucket, by comparing all with all.
func (w *worker) compare(depth, from, to int) {
	l := w.levels[depth]
	columns := from // of the second set, or all
	rows := to      // of the first set, or all
	if w.task.join.Against != nil {
		columns = from + w.firstOfSecond(depth, from, to)
		rows = columns
	}
	for r := from; r < rows; r += tile {
		r2 := min(r+tile, rows)
		for c := max(columns, r); c < to; c += tile {
			c2 := min(c+tile, to)
			w.compareTile(l, r, r2, c, c2)
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

// compareTile lists the pairs of rows and columns that are near by their screens. Where both begin
// at the same place, it lists each pair once.
func (w *worker) compareTile(l *level, r, r2, c, c2 int) {
	if r == c {
		w.hits = hamming.AppendNearPairs(w.hits[:0], l.screens[r:r2], l.limit)
	} else {
		w.hits = hamming.AppendNear(w.hits[:0], l.screens[r:r2], l.screens[c:c2], l.limit)
	}
	w.spend((r2-r)*(c2-c), len(w.hits))
}

// spend counts the costs of pairs of which some pass the screens, where they have an end.
func (w *worker) spend(pairs, hits int) {
	if w.most == 0 {
		return
	}
	each := float64(costOfHit)
	if !w.windowIsWhole() {
		each += costOfFetching
	}
	w.spent += float64(pairs)*costOfScreening + float64(hits)*each
}

// firstOfSecond returns how many entries of a bucket are of the first set: positions ascend.
func (w *worker) firstOfSecond(depth, from, to int) int {
	i, _ := slices.BinarySearchFunc(w.levels[depth].up[from:to], w.task.second, func(u, second uint32) int {
		if w.position(depth, u) < second {
			return -1
		}
		return 1
	})
	return i
}

// position returns the position of the entry that is at u in a level's windows.
func (w *worker) position(depth int, u uint32) uint32 {
	for ; depth > 0; depth-- {
		u = w.levels[depth-1].up[w.levels[depth].from+int(u)]
	}
	return w.task.positions[u]
}

// hit emits the pair of the entries a and b of a level, in order of its buckets, if they are near
// and no earlier key of this level or of those between it and the partition has brought them
// together. It returns false when no more pairs are wanted.
func (w *worker) hit(depth int, a, b uint32) bool {
	for ; ; depth-- {
		l := w.levels[depth]
		a, b = l.up[a], l.up[b]
		d := l.windows[a] ^ l.windows[b]
		if bits.OnesCount64(d) > w.task.table().windows {
			return true
		}
		if depth == 0 {
			return w.pair(w.task.positions[a], w.task.positions[b], d)
		}
		for u := uint(0); u < l.shift; u += l.bits {
			if d>>u&(1<<l.bits-1) == 0 {
				return true
			}
		}
		a, b = a+uint32(l.from), b+uint32(l.from)
	}
}

// pair emits the pair at two positions, whose windows differ by d, if it is near, and this table's.
func (w *worker) pair(a, b uint32, d uint64) bool {
	t := &w.task
	if w.trees != nil && w.group(a) == w.group(b) {
		return true
	}
	a, b = min(a, b), max(a, b)
	distance := w.differ(a, b, d)
	if distance > t.join.K || !t.plan.reports(t.number, w.difference, w.trees != nil) {
		return true
	}
	w.full = !w.emit(near{uint64(a), uint64(b), uint16(distance)})
	return !w.full
}

// windowIsWhole reports whether a window has all bits of its fingerprint.
func (w *worker) windowIsWhole() bool {
	return w.task.join.Set.Bits <= 64 && w.task.table().drawn == nil
}

// differ sets the worker's difference to the bits in which two fingerprints differ, and returns how
// many they are.
func (w *worker) differ(a, b uint32, d uint64) (distance int) {
	t := &w.task
	w.difference = w.difference[:0]
	if w.windowIsWhole() {
		w.difference = append(w.difference, t.table().fromWindow(d, t.join.Set.Bits)) // not from memory
		return bits.OnesCount64(d)
	}
	y := t.join.at(b)
	for i, x := range t.join.at(a) {
		w.difference = append(w.difference, x^y[i])
		distance += bits.OnesCount64(x ^ y[i])
	}
	return distance
}
