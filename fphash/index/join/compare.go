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

// compareTile lists the pairs of rows and columns that are near by their screens, or windows. Where
// both begin at the same place, it lists each pair once.
func (w *worker) compareTile(l *level, r, r2, c, c2 int) {
	k := w.task.join.K
	w.hits = w.hits[:0]
	switch {
	case l.whole:
		for row := r; row < r2; row++ {
			first := c
			if r == c {
				first = row + 1
			}
			w.within = hamming.AppendWithin(w.within[:0], l.sorted[first:c2], l.sorted[row:row+1], k)
			for _, m := range w.within {
				w.hits = append(w.hits, hamming.NearPair{Row: uint32(row - r), Column: uint32(first - c + m.Index)})
			}
		}
	case r == c:
		w.hits = hamming.AppendNearPairs(w.hits, l.screens[r:r2], k)
	default:
		w.hits = hamming.AppendNear(w.hits, l.screens[r:r2], l.screens[c:c2], k)
	}
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
// and no earlier block has brought them together, in the levels above or in this one. It returns
// false when no more pairs are wanted.
func (w *worker) hit(depth int, a, b uint32) bool {
	for ; ; depth-- {
		l := w.levels[depth]
		a, b = l.up[a], l.up[b]
		d := l.windows[a] ^ l.windows[b]
		if bits.OnesCount64(d) > w.task.join.K {
			return true
		}
		if depth == 0 {
			return w.pair(a, b, d)
		}
		for u := uint(0); u < l.shift; u += l.bits {
			if d>>u&(1<<l.bits-1) == 0 {
				return true
			}
		}
		a, b = a+uint32(l.from), b+uint32(l.from)
	}
}

// pair emits the pair of the entries a and b of the task, whose windows differ by d.
func (w *worker) pair(a, b uint32, d uint64) bool {
	t := &w.task
	p := near{uint64(t.positions[a]), uint64(t.positions[b]), uint16(bits.OnesCount64(d))}
	if t.join.Set.Bits <= 64 {
		for _, key := range t.earlier {
			if d&key == 0 {
				return true
			}
		}
	} else if !w.whole(&p) {
		return true
	}
	w.full = !w.emit(p)
	return !w.full
}

// whole compares all words of a pair, and sets its distance.
func (w *worker) whole(p *near) bool {
	t := &w.task
	a, b := t.join.at(uint32(p.a)), t.join.at(uint32(p.b))
	distance := hamming.Distance(a, b)
	if distance > t.join.K {
		return false
	}
	p.distance = uint16(distance)
	for _, earlier := range t.plan.blocks[:t.block] {
		if agree(a, b, earlier.key) {
			return false
		}
	}
	return true
}

// agree says whether a and b have the same bits where mask has ones.
func agree(a, b, mask []uint64) bool {
	for i := range a {
		if (a[i]^b[i])&mask[i] != 0 {
			return false
		}
	}
	return true
}
