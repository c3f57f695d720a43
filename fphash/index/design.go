package index

import (
	"context"
	"fmt"
	"math"

	"simhashkit/fphash/index/internal/layout"
	"simhashkit/internal/binomial"
)

// Design describes permuted tables: how fingerprints are cut into blocks, and which blocks form
// keys. Two fingerprints within MaxK bits agree in at least one key, or differ in at most Errors
// bits of it.
//
// If Choose is 1, the pigeonhole principle applies: k+1 blocks find all matches within k. If Choose
// is larger, the tables are those of Manku, Jain, Das Sarma: Detecting Near-Duplicates for Web
// Crawling, WWW 2007. Keys with Errors are those of Norouzi, Punjani, Fleet: Fast Search in Hamming
// Space with Multi-Index Hashing, CVPR 2012.
type Design struct {
	Blocks int // number of blocks of a fingerprint; their widths differ by at most one bit
	Choose int // number of blocks in a key; there is a table for every choice
	Rest   int // number of blocks of the other bits, with a table for each; 0 means none
	Errors int // number of bits in which keys may differ
}

// pigeonhole returns the smallest design that finds all matches within k: k+1 blocks, with a table
// for each.
func pigeonhole(k int) Design { return Design{Blocks: k + 1, Choose: 1} }

// maxTables is the maximum number of tables of a design.
const maxTables = 1024

func (d Design) String() string {
	s := fmt.Sprintf("tables-%d-choose-%d", d.Blocks, d.Choose)
	if d.Rest > 0 {
		s += fmt.Sprintf("-rest-%d", d.Rest)
	}
	if d.Errors > 0 {
		s += fmt.Sprintf("-errors-%d", d.Errors)
	}
	return s
}

// check returns an error if the design cannot cut fingerprints of the given width.
func (d Design) check(width int) error {
	if d.Choose < 1 || d.Blocks < d.Choose || d.Errors < 0 || d.Rest < 0 {
		return fmt.Errorf("index: invalid design: choose = %d, blocks = %d, errors = %d, rest = %d", d.Choose, d.Blocks, d.Errors, d.Rest)
	}
	if d.Errors > 0 && (d.Choose > 1 || d.Rest > 0) {
		return fmt.Errorf("index: invalid design: errors = %d requires choose = 1 and rest = 0, got choose = %d and rest = %d", d.Errors, d.Choose, d.Rest)
	}
	if d.Rest > 0 && d.Choose > 1 {
		return fmt.Errorf("index: invalid design: rest = %d requires choose = 1, got choose = %d", d.Rest, d.Choose)
	}
	if d.Blocks > width || d.Rest > width-(width+d.Blocks-1)/d.Blocks {
		return fmt.Errorf("index: invalid design: blocks = %d and rest = %d do not fit %d bits", d.Blocks, d.Rest, width)
	}
	if d.Errors > 0 && d.Errors >= width/d.Blocks {
		return fmt.Errorf("index: invalid design: errors = %d in blocks of %d bits, want fewer errors than bits", d.Errors, width/d.Blocks)
	}
	if n := d.tables(); n > maxTables {
		return fmt.Errorf("index: invalid design: %.0f tables, want at most %d", n, maxTables)
	}
	return nil
}

// MaxK returns the largest distance at which the tables find every match.
func (d Design) MaxK() int {
	if d.Errors > 0 {
		return d.Blocks*(d.Errors+1) - 1
	}
	if d.Rest > 0 {
		return min(d.Blocks, d.Rest) - 1
	}
	return d.Blocks - d.Choose
}

func (d Design) tables() float64 {
	return math.Round(binomial.Choose(d.Blocks, d.Choose)) * float64(max(d.Rest, 1))
}

// reach returns how many of the first tables and how many errors in their keys are sufficient to
// find every match within k. If k is below MaxK, not all tables are necessary.
func (d Design) reach(k int) (tables, errors int) {
	if d.Rest > 0 {
		return int(d.tables()), 0
	}
	if d.Choose > 1 {
		return int(math.Round(binomial.Choose(k+d.Choose, d.Choose))), 0
	}
	errors = k / d.Blocks
	return k/(errors+1) + 1, errors
}

// Arrange is for package indexfile. It builds the structure for searching the fingerprints of a
// file within k bits, and returns its design and its tables, which must not be changed. If a scan
// is as fast, it returns the zero design and no tables. The choice is the same on every machine. If
// the context is done, it returns an error after the table that it is building.
func Arrange(ctx context.Context, set *Set, k, workers int) (design Design, arrays []layout.Table, err error) {
	o := Options{K: k, Workers: workers}
	if err := checkFor(set, o); err != nil {
		return design, arrays, err
	}
	s, err := build(ctx, set, o)
	if err != nil {
		return design, arrays, err
	}
	if t, ok := s.(*tables); ok {
		design, arrays = t.design, t.layout()
	}
	return design, arrays, nil
}

func (t *tables) layout() (arrays []layout.Table) {
	for i := range t.list {
		x := &t.list[i]
		arrays = append(arrays, layout.Table{Starts: x.starts, Screens: x.screens, Positions: x.positions})
	}
	return arrays
}

// Restore is for package indexfile. It returns a structure over the set, from its design and the
// arrays it had; the zero design means a scan. It takes constant time and does not read the arrays.
// Before the structure uses a number, it calls guard, which may be nil. Numbers that are out of
// range cause panics, so a guard that checks blocks must check ranges too: positions are below
// set.Len(), starts are at most set.Len().
func Restore(set *Set, design Design, arrays []layout.Table, guard *layout.Guard) (Structure, error) {
	if set == nil {
		return nil, errNoSet
	}
	guarded := *set
	guarded.guard = guard
	s := newScan(&guarded)
	if design == (Design{}) {
		return s, nil
	}
	if err := design.check(set.Bits); err != nil {
		return nil, err
	}
	t := &tables{scan: s, design: design}
	keys := design.keys(set.Bits)
	if len(keys) != len(arrays) {
		return nil, fmt.Errorf("index: layout of %d tables, expected %d", len(arrays), len(keys))
	}
	for i, key := range keys {
		x, from := newTable(key, &guarded), &arrays[i]
		if len(from.Starts) != x.buckets()+1 || len(from.Screens) != set.Len() || len(from.Positions) != set.Len() {
			return nil, fmt.Errorf("index: layout of table %d with arrays of %d, %d and %d numbers, expected those of %d buckets and %d fingerprints", i, len(from.Starts), len(from.Screens), len(from.Positions), x.buckets(), set.Len())
		}
		x.starts, x.screens, x.positions = from.Starts, from.Screens, from.Positions
		t.list = append(t.list, x)
	}
	return t, nil
}

// span is a run of bits of a fingerprint.
type span struct{ from, width int }

// keys returns the keys of all tables, each as a list of blocks. Choices of the first blocks come
// first, so that a smaller distance needs only the first tables.
func (d Design) keys(width int) (keys [][]span) {
	blocks := cut([]span{{0, width}}, d.Blocks)
	for _, chosen := range choices(d.Blocks, d.Choose) {
		key := make([]span, len(chosen))
		for i, b := range chosen {
			key[i] = blocks[b][0]
		}
		if d.Rest == 0 {
			keys = append(keys, key)
			continue
		}
		for _, more := range cut(outside(key, width), d.Rest) {
			keys = append(keys, append(key[:len(key):len(key)], more...))
		}
	}
	return keys
}

// cut divides the bits of the spans, in order, into n blocks whose widths differ by at most one
// bit, the wider ones first. A block that extends into the next span consists of several spans.
func cut(spans []span, n int) [][]span {
	total := 0
	for _, s := range spans {
		total += s.width
	}
	blocks, at, used := make([][]span, n), 0, 0
	for i := range blocks {
		width := total / n
		if i < total%n {
			width++
		}
		for width > 0 {
			take := min(width, spans[at].width-used)
			blocks[i] = append(blocks[i], span{spans[at].from + used, take})
			width, used = width-take, used+take
			if used == spans[at].width {
				at, used = at+1, 0
			}
		}
	}
	return blocks
}

// outside returns the bits that are in none of the spans. It starts after the first span and wraps
// around.
func outside(spans []span, width int) (rest []span) {
	inside := make([]bool, width)
	for _, s := range spans {
		for j := range s.width {
			inside[s.from+j] = true
		}
	}
	start := spans[0].from + spans[0].width
	for i := range width {
		j := (start + i) % width
		switch last := len(rest) - 1; {
		case inside[j]:
		case last >= 0 && rest[last].from+rest[last].width == j:
			rest[last].width++
		default:
			rest = append(rest, span{j, 1})
		}
	}
	return rest
}

// choices returns all choices of k numbers below n. Each choice is ascending. The choices are
// sorted by their largest number, then by their second largest, and so on.
func choices(n, k int) (all [][]int) {
	if k == 0 {
		return [][]int{nil}
	}
	for last := k - 1; last < n; last++ {
		for _, c := range choices(last, k-1) {
			all = append(all, append(c[:len(c):len(c)], last))
		}
	}
	return all
}

// keyMask returns a mask with ones for the bits of the spans.
func keyMask(key []span, words int) []uint64 {
	mask := make([]uint64, words)
	for _, s := range key {
		for j := s.from; j < s.from+s.width; j++ {
			mask[j/64] |= 1 << (j % 64)
		}
	}
	return mask
}
