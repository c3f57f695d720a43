package join

import (
	"context"
	"math/bits"
	"sync"

	"simhashkit/fphash/index"
	"simhashkit/internal/hugepages"
)

// partitions is all fingerprints of a join, brought together by the upper bits of their keys in one
// block after the other. An entry is a window of 64 bits of the fingerprint, from the block's end
// down and around, and the fingerprint's position. Within a partition, positions ascend.
type partitions struct {
	join      *Join
	plan      *Plan
	windows   []uint64
	positions []uint32
	ends      []int // of each partition

	pieces []piece
	counts [][][1 << mostFirst]uint32 // by block and piece: of each partition, and then where it begins
}

func newPartitions(j *Join, p *Plan) *partitions {
	n := j.Set.Len()
	if j.Against != nil {
		n += j.Against.Len()
	}
	return &partitions{join: j, plan: p, windows: hugepages.Make[uint64](n), positions: hugepages.Make[uint32](n), ends: make([]int, 1<<p.first)}
}

// windowBits returns how many bits of a fingerprint are in its window; they are its lowest.
func windowBits(width int) uint { return uint(min(width, 64)) }

// fill returns what partitions by block i.
func (t *partitions) fill(i int) func(ctx context.Context, workers int) error {
	return func(ctx context.Context, workers int) error {
		if t.counts == nil {
			t.countAll(workers)
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		counts := t.counts[i]
		at := uint32(0)
		for key := range t.ends {
			for p := range counts {
				counts[p][key], at = at, at+counts[p][key]
			}
			t.ends[key] = int(at)
		}
		inParallel(len(t.pieces), func(p int) { t.scatter(&counts[p], &t.plan.blocks[i], t.pieces[p]) })
		return nil
	}
}

// countAll counts the entries that each piece has for each partition, by all blocks.
func (t *partitions) countAll(workers int) {
	t.cut(workers)
	for range t.plan.blocks {
		t.counts = append(t.counts, make([][1 << mostFirst]uint32, len(t.pieces)))
	}
	inParallel(len(t.pieces), func(p int) {
		for from := t.pieces[p]; from.from < from.to; from.from += windowsTogether {
			some := from
			some.to = min(from.to, from.from+windowsTogether)
			for i := range t.plan.blocks {
				t.count(&t.counts[i][p], &t.plan.blocks[i], some)
			}
		}
	})
}

// piece is a range of one of the sets.
type piece struct {
	set      *index.Set
	from, to int
	position uint32 // of the first
}

// cut cuts the sets into pieces, one of each for each worker.
func (t *partitions) cut(workers int) {
	add := func(set *index.Set, position int) {
		n := set.Len()
		for i := range workers {
			from, to := share(i, n, workers), share(i+1, n, workers)
			t.pieces = append(t.pieces, piece{set, from, to, uint32(position + from)})
		}
	}
	add(t.join.Set, 0)
	if t.join.Against != nil {
		add(t.join.Against, t.join.Set.Len())
	}
}

// share returns i of of parts of n, also where the product is beyond 32 bits.
func share(i, n, of int) int { return int(int64(i) * int64(n) / int64(of)) }

func inParallel(n int, f func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { f(i) })
	}
	all.Wait()
}

// count counts the entries of each partition.
func (t *partitions) count(counts *[1 << mostFirst]uint32, b *block, p piece) {
	key := t.keys()
	t.eachWindows(b, p, func(windows []uint64, turn int, _ uint32) {
		for _, x := range windows {
			counts[key.of(bits.RotateLeft64(x, turn))]++
		}
	})
}

// scatter writes the entries of a piece to their partitions.
func (t *partitions) scatter(at *[1 << mostFirst]uint32, b *block, p piece) {
	key := t.keys()
	c := newCombiner(t.windows, t.positions, at)
	t.eachWindows(b, p, func(windows []uint64, turn int, position uint32) {
		c.add(windows, turn, key, position)
	})
	c.flush()
}

// eachWindows calls f with the windows of a piece by block b, some at a time: f is to turn them to
// the left, and position is that of the first.
func (t *partitions) eachWindows(b *block, p piece, f func(windows []uint64, turn int, position uint32)) {
	if p.set.Bits == 64 {
		f(p.set.Words[p.from:p.to], 64-b.end, p.position)
		return
	}
	var windows [windowsTogether]uint64
	for p.from < p.to {
		n := min(len(windows), p.to-p.from)
		for i := range n {
			windows[i] = window(p.set.At(p.from+i), p.set.Bits, b.end)
		}
		f(windows[:n], 0, p.position)
		p.from, p.position = p.from+n, p.position+uint32(n)
	}
}

// windowsTogether is how many fingerprints are read for all blocks while they are in the cache, and
// how many windows are taken of wide ones at a time.
const windowsTogether = 1 << 10

// firstKey takes the partition out of a window.
type firstKey struct{ shift, mask uint }

func (t *partitions) keys() firstKey {
	first := t.plan.first
	return firstKey{(windowBits(t.join.Set.Bits) - first) & 63, 1<<first - 1}
}

func (k firstKey) of(window uint64) uint8 { return uint8(window >> (k.shift & 63) & uint64(k.mask)) }

// window returns the 64 bits of a fingerprint that lie below end, and on from its highest bit; of
// fingerprints of less than 64 bits all, as the lowest bits.
func window(words []uint64, width, end int) uint64 {
	if width <= 64 {
		x := words[0]
		return (x<<(width-end) | x>>end) & (^uint64(0) >> (64 - width))
	}
	if end >= 64 {
		return bits64(words, end-64)
	}
	// the lowest bits of the fingerprint on top, its highest ones below
	return bits64(words, 0)<<(64-end) | bits64(words, width-64)>>end
}

// bits64 returns 64 bits of a fingerprint from that bit on.
func bits64(words []uint64, from int) uint64 {
	w, shift := from/64, from%64
	x := words[w] >> shift
	if shift != 0 && w+1 < len(words) {
		x |= words[w+1] << (64 - shift)
	}
	return x
}
