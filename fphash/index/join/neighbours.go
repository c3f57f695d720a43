package join

import (
	"context"
	"math/bits"
	"slices"
	"sync/atomic"

	"simhashkit/asm/hamming"
)

// errorMasks returns all masks of d bits with 1 to n ones, in ascending order. They are the
// possible differences of two keys.
func errorMasks(d uint, n int) (masks []uint32) {
	for mask := uint32(1); mask < 1<<d; mask++ {
		if bits.OnesCount32(mask) <= n {
			masks = append(masks, mask)
		}
	}
	return masks
}

// side is a sorted partition that is compared with others.
type side struct {
	level
	positions []uint32
	giants    []uint32 // by bucket: first entry of a giant; nil if there is none
}

// sortAll sorts all partitions by the rest of their keys.
func (t *partitions) sortAll(ctx context.Context, workers int) {
	if t.sides == nil {
		t.sides = make([]side, 1<<t.plan.first)
	}
	giant, found := t.giant()
	var next atomic.Int64
	inParallel(workers, func(int) {
		for i := next.Add(1) - 1; i < int64(len(t.sides)) && ctx.Err() == nil; i = next.Add(1) - 1 {
			task := t.task(int(i))
			t.sides[i].sort(&task)
			if found {
				t.sides[i].putLast(func(position uint32) bool { return t.group(position) == giant })
			}
		}
	})
}

func (s *side) sort(t *task) {
	s.sortPartition(t)
	s.positions, s.giants = t.positions, s.giants[:0]
}

// giantShare defines giants: groups that contain at least one of giantShare fingerprints.
const giantShare = 16

// giant returns a giant, if a sample contains one. Its members should not be compared with each
// other.
func (t *partitions) giant() (root uint32, found bool) {
	if t.group == nil || len(t.positions) < leastLarge {
		return 0, false
	}
	const looked = 16 * giantShare
	var roots [looked]uint32
	for i := range roots {
		roots[i] = t.group(uint32(share(i, len(t.positions), looked)))
	}
	root, n := mostFrequent(roots[:])
	return root, n >= looked/giantShare
}

// mostFrequent returns the most frequent number and its count. It sorts the numbers.
func mostFrequent(numbers []uint32) (best uint32, most int) {
	slices.Sort(numbers)
	n := 0
	for i, x := range numbers {
		if n++; i > 0 && numbers[i-1] != x {
			n = 1
		}
		if n > most {
			best, most = x, n
		}
	}
	return best, most
}

// putLast moves the entries of a giant to the end of their buckets.
func (s *side) putLast(giant func(position uint32) bool) {
	s.giants = slices.Grow(s.giants[:0], len(s.ends))[:len(s.ends)]
	from := uint32(0)
	for i, to := range s.ends {
		last := to
		for at := from; at < last; {
			if !giant(s.positions[s.up[at]]) {
				at++
				continue
			}
			last--
			s.up[at], s.up[last] = s.up[last], s.up[at]
			s.screens[at], s.screens[last] = s.screens[last], s.screens[at]
		}
		from, s.giants[i] = to, last
	}
}

// bucket returns the bounds of the bucket of a key.
func (s *side) bucket(key uint32) (from, to uint32) {
	if key > 0 {
		from = s.ends[key-1]
	}
	return from, s.ends[key]
}

// searchNear emits the pairs of a partition whose keys agree, and the pairs of its entries with
// those of other partitions whose keys differ in few bits. The partition or bucket with the lower
// key is compared with the other one, so each pair is found once.
func (w *worker) searchNear(t *partitions, partition int, masks []uint32, emit sink) {
	w.task, w.emit, w.full = t.task(partition), emit, false
	rows := &t.sides[partition]
	own := w.level(0)
	w.levels[0] = &rows.level
	w.buckets(0)
	w.levels[0] = own
	for _, mask := range masks {
		if w.stopped() {
			return
		}
		high := mask >> t.plan.second
		if other := uint32(partition) ^ high; other >= uint32(partition) {
			w.compareSides(rows, &t.sides[other], mask&(1<<t.plan.second-1), bits.OnesCount32(mask))
		}
	}
}

// compareSides emits the pairs of entries whose keys differ by the mask. errors is the number of
// bits in which the whole keys differ, including those of the partitions.
func (w *worker) compareSides(rows, columns *side, mask uint32, errors int) {
	limit := rows.limit
	if rows.shift >= screenBits {
		limit -= errors
	}
	from := uint32(0)
	for key, to := range rows.ends {
		other := uint32(key) ^ mask
		if from < to && (rows != columns || other > uint32(key)) {
			from2, to2 := columns.bucket(other)
			switch {
			case from2 == to2:
			case len(rows.giants) > 0:
				w.compareBuckets(rows, columns, from, rows.giants[key], from2, to2, limit)
				w.compareBuckets(rows, columns, rows.giants[key], to, from2, columns.giants[other], limit)
			default:
				w.compareBuckets(rows, columns, from, to, from2, to2, limit)
			}
			if w.full {
				return
			}
		}
		from = to
	}
}

// compareBuckets emits the pairs of the entries from ≤ row < to and from2 ≤ column < to2.
func (w *worker) compareBuckets(rows, columns *side, from, to, from2, to2 uint32, limit int) {
	trial := int(to-from)*int(to2-from2) >= leastTrial && w.trees != nil
	for r := from; r < to; {
		r2 := min(r+tile, to)
		if trial {
			r2 = min(r+rowsOfCrowd, to)
		}
		for c := from2; c < to2; c += tile {
			c2 := min(c+tile, to2)
			w.hits = hamming.AppendNear(w.hits[:0], rows.screens[r:r2], columns.screens[c:c2], limit)
			if trial && (int(to-from)*int(to2-from2) >= leastPairs || len(w.hits) > int(r2-r)*int(c2-c)/hitsOfCrowd) {
				w.joinBuckets(rows, columns, from, to, from2, to2)
				return
			}
			trial = false
			for _, h := range w.hits {
				a, b := rows.up[r+h.Row], columns.up[c+h.Column]
				d := rows.windows[a] ^ columns.windows[b]
				if bits.OnesCount64(d) <= w.task.table().windows && !w.pair(rows.positions[a], columns.positions[b]) {
					return
				}
			}
			if to-from > tile && w.stopped() {
				return
			}
		}
		r = r2
	}
}
