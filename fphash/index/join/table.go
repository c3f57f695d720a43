package join

import (
	"math/bits"

	"simhashkit/fphash/index"
)

// table defines one way of grouping fingerprints: those whose keys differ in at most errors bits
// are compared. The key is the highest bits of a window of 64 bits of the fingerprint.
type table struct {
	end, width int // of its block: one above its highest bit, and how many bits it has
	budget     int // a pair differs in fewer bits of the block

	drawn []bitsOfWord // of the window, where it is of drawn bits and not of a block and what follows

	errors  int // of the key, in which a pair of this table may differ
	screens int // likewise: of the key and the 32 bits below it
	windows int // likewise: of the window
}

// The blocks of a fingerprint lie in a ring. Each has a budget, and the budgets add up to k+1, so
// that two fingerprints within k differ in fewer bits than the budgets allow together. Then there
// is a block to start at from which on they do all the way around: in fewer bits of that block than
// its budget, of it and the next together than their budgets, and so on. It is where the bits that
// differ, less the budgets before, are most. (The cycle lemma: Dvoretzky, Motzkin, A Problem of
// Arrangements, 1947. For Hamming distances: Qin, Xiao, Pigeonring, VLDB 2018.)
//
// Budgets of 1 are the pigeonhole principle: in one of k+1 blocks a pair agrees. With larger ones
// fewer and wider blocks do, in which a pair differs in few bits.

// blockTables returns the tables of fingerprints of width bits that are cut into that many blocks,
// for pairs within k, with keys of d bits.
func blockTables(width, k, blocks, d int) []table {
	tables := make([]table, blocks)
	for i := range tables {
		t := &tables[i]
		t.end = width - share(i, width, blocks)
		t.width = t.end - (width - share(i+1, width, blocks))
		t.budget = share(i+1, k+1, blocks) - share(i, k+1, blocks)
	}
	for i := range tables {
		t := &tables[i]
		t.errors = min(t.budget-1, d)
		t.screens = limitOf(tables, i, k, d+screenBits)
		t.windows = limitOf(tables, i, k, int(windowBits(width)))
	}
	return tables
}

// limitOf returns the largest number of differing bits, among the n bits from the block of table i
// on, of a pair of that table.
func limitOf(tables []table, i, k, n int) int {
	limit := -1
	for ; n > 0 && limit < k; i = (i + 1) % len(tables) {
		limit += tables[i].budget
		n -= tables[i].width
	}
	return min(limit, k)
}

// startOf returns the table that reports a pair within k with this difference.
func startOf(tables []table, difference []uint64) (start int) {
	sum, highest := 0, 0
	for i := range tables {
		t := &tables[i]
		if sum >= highest {
			start, highest = i, sum
		}
		sum += onesBetween(difference, t.end-t.width, t.end) - t.budget
	}
	return start
}

// onesBetween returns how many of the bits from ≤ bit < to are ones.
func onesBetween(words []uint64, from, to int) (n int) {
	for w := from / 64; w*64 < to; w++ {
		x := words[w]
		if low := from - w*64; low > 0 {
			x &= ^uint64(0) << low
		}
		if high := to - w*64; high < 64 {
			x &= 1<<high - 1
		}
		n += bits.OnesCount64(x)
	}
	return n
}

// windowBits returns how many bits of a fingerprint are in its window; they are its lowest.
func windowBits(width int) uint { return uint(min(width, 64)) }

// window returns the 64 bits of a fingerprint that lie below the end of the block, and on from its
// highest bit; of fingerprints of less than 64 bits all, as the lowest bits.
func (t *table) window(words []uint64, width int) uint64 {
	if t.drawn != nil {
		return t.drawnWindow(words)
	}
	end := t.end
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

// windowsOf stores the windows of the fingerprints of a set from that one on.
func (t *table) windowsOf(dst []uint64, set *index.Set, from int) {
	if t.drawn != nil {
		t.drawnWindows(dst, set, from)
		return
	}
	for i := range dst {
		dst[i] = t.window(set.At(from+i), set.Bits)
	}
}

// fromWindow returns the fingerprint of up to 64 bits that has this window.
func (t *table) fromWindow(x uint64, width int) uint64 {
	return (x<<t.end | x>>(width-t.end)) & (^uint64(0) >> (64 - width))
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
