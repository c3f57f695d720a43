package index

import (
	"math/bits"

	"simhashkit/fphash/index/internal/layout"
	"simhashkit/internal/binomial"
)

// probe is a bucket of a table that a query asks for.
type probe struct {
	query, table int32
	bucket       uint32
	from, to     uint32 // its entries
	screen       uint32 // of the query
}

// find looks up where the buckets of all probes lie, and then reads a screen of every line of them.
// No read waits for another of its kind, so that the memory is asked for all at once, and not for
// one line at a time as the comparisons that follow would ask.
func (t *tables) find(probes []probe) (read uint32, err error) {
	guard := t.scan.set.guard
	for i := range probes {
		p := &probes[i]
		bounds := t.list[p.table].starts[p.bucket:][:2]
		if guard != nil {
			if err := layout.Use(guard, bounds); err != nil {
				return 0, err
			}
		}
		p.from, p.to = bounds[0], bounds[1]
	}
	for i := range probes {
		if p := &probes[i]; p.from < p.to {
			if guard != nil {
				if err := layout.Use(guard, t.list[p.table].screens[p.from:p.to]); err != nil {
					return 0, err
				}
			}
			screens := t.list[p.table].screens[p.from:min(p.to, p.from+mostTouched)]
			for j := 0; j < len(screens); j += screensOfLine {
				read += screens[j]
			}
			read += screens[len(screens)-1]
		}
	}
	return read, nil
}

const (
	screensOfLine = 16                 // of the cache
	mostTouched   = 32 * screensOfLine // of a bucket: from there on the processor has seen where it goes
)

// nextErrors returns the next of the sets of at most n of the lowest width bits, of which the empty
// set is the first, and false after the last. Sets of fewer bits come first.
func nextErrors(errors uint64, width, n int) (uint64, bool) {
	if errors != 0 {
		low := errors & -errors // the next larger number with as many bits, by Gosper
		high := errors + low
		if next := high | (errors^high)/low>>2; next < 1<<width {
			return next, true
		}
	}
	more := bits.OnesCount64(errors) + 1
	return 1<<more - 1, more <= min(n, width)
}

// probes returns how many buckets a query asks for.
func (t *tables) probes(reach, errors int) (n float64) {
	for i := range t.list[:reach] {
		n += binomial.Ball(t.list[i].window.width-t.list[i].shift, errors)
	}
	return n
}
