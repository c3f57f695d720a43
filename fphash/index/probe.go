package index

import (
	"iter"
	"math/bits"
)

// probe is a bucket of a table that a query asks for.
type probe struct {
	query, table int32
	bucket       uint32
	from, to     uint32 // its entries
	screen       uint32 // of the query
	unsure       uint32 // the screen of the query's mask
}

// touch reads the first entry of the buckets of all probes. None of the reads waits for another, so
// that the memory is asked for all of them at once, and not for one at a time as the comparisons
// that follow would ask.
func (t *tables) touch(probes []probe) (read uint32) {
	for i := range probes {
		p := &probes[i]
		if screens := t.list[p.table].screens; int(p.from) < len(screens) {
			read += screens[p.from]
		}
	}
	return read
}

// subsets yields every set of bits that are all in the given one, the empty one first.
func subsets(set uint64) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for s := uint64(0); ; {
			if !yield(s) {
				return
			}
			if s = (s - set) & set; s == 0 {
				return
			}
		}
	}
}

// flips yields every set of at most n of the lowest width bits, the empty one first.
func flips(width, n int) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		if !yield(0) {
			return
		}
		for size := 1; size <= min(n, width); size++ {
			for s := uint64(1)<<size - 1; s < 1<<width; {
				if !yield(s) {
					return
				}
				low := s & -s // the next larger number with as many bits, by Gosper
				high := s + low
				s = high | (s^high)/low>>2
			}
		}
	}
}

// ballSize returns how many sets flips yields.
func ballSize(width, n int) (size float64) {
	for i := 0; i <= min(n, width); i++ {
		size += choose(width, i)
	}
	return size
}

// probes returns how many buckets a query asks for.
func (t *tables) probes(q *Query, reach, errors int) (n float64) {
	for i := range t.list[:reach] {
		table, unsure := &t.list[i], 0
		if q.Mask != nil {
			unsure = bits.OnesCount64(table.bucket(q.Mask))
		}
		n += float64(uint64(1)<<unsure) * ballSize(table.window.width-table.shift-unsure, errors)
	}
	return n
}
