// Package search finds the fingerprints within k bits of a query, among fingerprints that do not
// change. It knows neither ids nor definitions: package index searches sets in memory with it, and
// package indexfile a mapped file. Its results are exact.
package search

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"slices"

	"simhashkit/asm/hamming"
	"simhashkit/internal/binomial"
)

// Fingerprints are concatenated fingerprints of Bits bits, (Bits+63)/64 words each. The bits beyond
// the width are zero.
type Fingerprints struct {
	Bits  int
	Words []uint64
}

func (f Fingerprints) stride() int { return (f.Bits + 63) / 64 }

func (f Fingerprints) len() int { return len(f.Words) / f.stride() }

func (f Fingerprints) at(i int) []uint64 { return f.Words[i*f.stride():][:f.stride()] }

// Design says how fingerprints are cut into blocks. There is a table for each block, which is its
// key. Two fingerprints within MaxK bits differ in at most Errors bits of one block. (Norouzi,
// Punjani, Fleet: Fast Search in Hamming Space with Multi-Index Hashing, CVPR 2012.) The zero
// Design has no tables: every fingerprint is compared with the query.
type Design struct {
	Blocks int // number of blocks of a fingerprint; their widths differ by at most one bit
	Errors int // number of bits in which keys may differ
}

func (d Design) String() string {
	switch {
	case d.Blocks == 0:
		return "scan"
	case d.Errors == 0:
		return fmt.Sprintf("tables-%d", d.Blocks)
	}
	return fmt.Sprintf("tables-%d-errors-%d", d.Blocks, d.Errors)
}

// Fits reports whether fingerprints of the given width can be cut into the blocks.
func (d Design) Fits(bits int) bool {
	return d == Design{} || d.Blocks > 0 && d.Errors >= 0 && d.Blocks <= bits && (d.Errors == 0 || d.Errors < bits/d.Blocks)
}

// maxK returns the largest distance at which the tables find every match.
func (d Design) maxK() int { return d.Blocks*(d.Errors+1) - 1 }

// reach returns how many of the first tables and how many errors in their keys are sufficient to
// find every match within k. If k is below maxK, not all tables are necessary.
func (d Design) reach(k int) (tables, errors int) {
	errors = k / d.Blocks
	return k/(errors+1) + 1, errors
}

// Structure searches fingerprints. It is safe for concurrent use.
type Structure struct {
	set    Fingerprints
	design Design
	tables []table
	guard  *Guard
}

// Build returns the structure with the fastest expected queries up to distance k. The choice is the
// same on every machine. If the context is done, Build returns its cause after the tables that it
// is building. While it builds tables, it needs 10 more bytes per fingerprint for each worker, of
// which there are at most as many as tables.
func Build(ctx context.Context, set Fingerprints, k, workers int) (*Structure, error) {
	return BuildDesign(ctx, set, choose(set, k), workers)
}

// BuildDesign is Build with a given design, which must fit the width of the fingerprints.
func BuildDesign(ctx context.Context, set Fingerprints, design Design, workers int) (*Structure, error) {
	s := &Structure{set: set, design: design, tables: newTables(set, design)}
	return s, s.build(ctx, workers)
}

// Restore returns a structure with the tables that another one had over the same fingerprints. It
// takes constant time and does not read the arrays. Before the structure uses a number, it calls
// the guard, which may be nil. Numbers that are out of range cause panics, so a guard must check
// ranges, too: positions are less than the number of fingerprints, starts at most that.
func Restore(set Fingerprints, design Design, tables []Table, guard *Guard) (*Structure, error) {
	if !design.Fits(set.Bits) || len(tables) != design.Blocks {
		return nil, fmt.Errorf("%d tables of design %s do not fit %d bits", len(tables), design, set.Bits)
	}
	s := &Structure{set: set, design: design, tables: newTables(set, design), guard: guard}
	for i, from := range tables {
		t := &s.tables[i]
		if len(from.Starts) != t.buckets()+1 || len(from.Screens) != set.len() || len(from.Positions) != set.len() {
			return nil, fmt.Errorf("table %d has arrays of %d, %d and %d numbers, which do not fit %d buckets and %d fingerprints",
				i, len(from.Starts), len(from.Screens), len(from.Positions), t.buckets(), set.len())
		}
		t.Table = from
	}
	return s, nil
}

// Design returns the design of the tables.
func (s *Structure) Design() Design { return s.design }

// Tables returns the arrays of the tables, which must not be changed.
func (s *Structure) Tables() []Table {
	list := make([]Table, len(s.tables))
	for i := range s.tables {
		list[i] = s.tables[i].Table
	}
	return list
}

// MaxK returns the largest distance that the structure can search.
func (s *Structure) MaxK() int {
	if len(s.tables) == 0 {
		return s.set.Bits
	}
	return s.design.maxK()
}

// AppendWithin appends to dst a match for every fingerprint within k bits of the query, in
// ascending order. The query must have the width of the fingerprints, and k must be at most MaxK.
// On error, which comes from the guard, dst is unchanged.
func (s *Structure) AppendWithin(dst []hamming.Match, query []uint64, k int) ([]hamming.Match, error) {
	if len(s.tables) > 0 {
		if reach, errors := s.design.reach(k); s.probes(reach, errors) <= mostProbes {
			q := tablesQuery{Structure: s, words: query, k: k, errors: errors, dst: dst}
			q.ask(reach)
			if q.err != nil {
				return dst, q.err
			}
			slices.SortFunc(q.dst[len(dst):], func(a, b hamming.Match) int { return cmp.Compare(a.Index, b.Index) })
			return q.dst, nil
		}
	}
	return s.scan(dst, query, k)
}

// scannedTogether is the number of fingerprints that a scan checks and compares at a time.
const scannedTogether = 1 << 14

func (s *Structure) scan(dst []hamming.Match, query []uint64, k int) ([]hamming.Match, error) {
	start, w := len(dst), s.set.stride()
	for from := 0; from < s.set.len(); from += scannedTogether {
		words := s.set.Words[from*w : min(from+scannedTogether, s.set.len())*w]
		if err := Use(s.guard, words); err != nil {
			return dst[:start], err
		}
		before := len(dst)
		dst = hamming.AppendWithin(dst, words, query, k)
		for i := range dst[before:] {
			dst[before+i].Index += from
		}
	}
	return dst, nil
}

// Nearest returns the n fingerprints nearest to a query, or all that allow accepts if there are
// fewer; nil allows all. The nearest come first; at equal distance, they are in ascending order. If
// fewer than n are within MaxK, it compares all fingerprints. n must be positive.
func (s *Structure) Nearest(query []uint64, n int, allow func(i int) bool) ([]hamming.Match, error) {
	allowed := func(m hamming.Match) bool { return allow == nil || allow(m.Index) }
	for k := 0; ; k = min(2*k+1, s.MaxK()) {
		matches, err := s.AppendWithin(nil, query, k)
		if err != nil {
			return nil, err
		}
		matches = slices.DeleteFunc(matches, func(m hamming.Match) bool { return !allowed(m) })
		if len(matches) >= n || k == s.set.Bits {
			return nearest(matches, n), nil
		}
		if k == s.MaxK() {
			break
		}
	}
	if err := Use(s.guard, s.set.Words); err != nil {
		return nil, err
	}
	var best []hamming.Match
	farthest := s.set.Bits // farther ones are not among the nearest n
	for i := range s.set.len() {
		m := hamming.Match{Index: i, Distance: distance(query, s.set.at(i))}
		if m.Distance > farthest || !allowed(m) {
			continue
		}
		if best = append(best, m); len(best) >= 2*n {
			best = nearest(best, n)
			farthest = best[len(best)-1].Distance - 1
		}
	}
	return nearest(best, n), nil
}

// nearest returns the nearest n of the matches, nearest first.
func nearest(matches []hamming.Match, n int) []hamming.Match {
	slices.SortFunc(matches, func(a, b hamming.Match) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.Index, b.Index))
	})
	return matches[:min(n, len(matches))]
}

// distance returns the number of bits in which two fingerprints differ.
func distance(a, b []uint64) (n int) {
	for i, x := range a {
		n += bits.OnesCount64(x ^ b[i])
	}
	return n
}

// mostProbes is the maximum number of buckets that a query looks up. If keys may have many errors,
// a query may need more; then it scans.
const mostProbes = 1 << 12

// probes returns the number of buckets that a query looks up.
func (s *Structure) probes(reach, errors int) (n float64) {
	for i := range s.tables[:reach] {
		n += binomial.Ball(s.tables[i].bucketBits(), errors)
	}
	return n
}

// probesAtOnce is the number of buckets that are requested from memory before the first is
// examined. A processor can wait for 10 to 16 cache lines at a time, and a few more do no harm.
const probesAtOnce = 32

// tablesQuery is the state of a query of tables.
type tablesQuery struct {
	*Structure
	words  []uint64
	k      int
	errors int // number of bits in which keys may differ
	dst    []hamming.Match
	err    error

	probes [probesAtOnce]probe
	n      int    // number of probes collected
	read   uint32 // keeps the early reads of screens
}

// probe is the lookup of a bucket.
type probe struct {
	table, bucket uint32
	screen        uint32 // of the query
	from, to      uint32 // entries of the bucket
}

// ask looks the query up in the first tables.
func (q *tablesQuery) ask(tables int) {
	for i := range q.tables[:tables] {
		t := &q.tables[i]
		x := t.window(q.words)
		for errors, more := uint64(0), true; more; errors, more = nextErrors(errors, t.bucketBits(), q.errors) {
			p := &q.probes[q.n] // set in place: a copy would wait for the stores
			p.table, p.bucket, p.screen = uint32(i), uint32(x>>t.shift^errors), uint32(x)
			if q.n++; q.n == probesAtOnce {
				q.examine()
			}
		}
	}
	q.examine()
}

// examine compares the query with the entries of all probed buckets.
func (q *tablesQuery) examine() {
	if q.find(); q.err == nil {
		for i := range q.probes[:q.n] {
			if p := &q.probes[i]; p.from < p.to {
				q.compare(p)
			}
		}
	}
	q.n = 0
}

const (
	screensOfLine = 16                 // screens in a cache line
	mostTouched   = 32 * screensOfLine // beyond this, the processor prefetches
)

// find looks up the entries of all probed buckets, and then reads a screen from each of their cache
// lines. No read depends on another, so the processor requests all lines from memory at once. The
// comparisons that follow would request one line at a time.
func (q *tablesQuery) find() {
	for i := range q.probes[:q.n] {
		p := &q.probes[i]
		bounds := q.tables[p.table].Starts[p.bucket:][:2]
		if q.err = Use(q.guard, bounds); q.err != nil {
			return
		}
		p.from, p.to = bounds[0], bounds[1]
	}
	for i := range q.probes[:q.n] {
		p := &q.probes[i]
		if p.from >= p.to {
			continue
		}
		screens := q.tables[p.table].Screens[p.from:p.to]
		if q.err = Use(q.guard, screens); q.err != nil {
			return
		}
		for j := 0; j < min(len(screens), mostTouched); j += screensOfLine {
			q.read += screens[j]
		}
		q.read += screens[min(len(screens), mostTouched)-1]
	}
}

// fewScreens is the maximum number of screens that Go code compares. The setup of a kernel would
// take longer.
const fewScreens = 32

// manyScreens is the number of screens that a kernel compares at a time. It limits the buffer for
// matches, even if all screens are equal.
const manyScreens = 1024

// compare compares the query with the screens of a bucket, and then with the fingerprints whose
// screens are near.
func (q *tablesQuery) compare(p *probe) {
	t := &q.tables[p.table]
	screens, positions := t.Screens[p.from:p.to], t.Positions[p.from:p.to]
	if len(screens) <= fewScreens {
		for i, s := range screens {
			if bits.OnesCount32(s^p.screen) <= q.k {
				q.verify(p, positions[i:i+1])
			}
		}
		return
	}
	var room [64]hamming.NearPair
	row, near := [1]uint32{p.screen}, room[:0]
	for len(screens) > 0 {
		n := min(len(screens), manyScreens)
		near = hamming.AppendNear(near[:0], row[:], screens[:n], q.k)
		for _, pair := range near {
			q.verify(p, positions[pair.Column:][:1])
		}
		screens, positions = screens[n:], positions[n:]
	}
}

// verify adds the fingerprint at a position if it matches, and if no earlier table has found it.
func (q *tablesQuery) verify(p *probe, position []uint32) {
	if q.err != nil {
		return
	}
	if q.err = Use(q.guard, position); q.err != nil {
		return
	}
	i := int(position[0])
	words := q.set.at(i)
	if q.err = Use(q.guard, words); q.err != nil {
		return
	}
	d := distance(q.words, words)
	if d <= q.k && q.first(words) == p.table {
		q.dst = append(q.dst, hamming.Match{Index: i, Distance: d})
	}
}

// first returns the first table that finds a fingerprint within k bits of the query.
func (q *tablesQuery) first(words []uint64) (i uint32) {
	for q.tables[i].keyDistance(q.words, words) > q.errors {
		i++
	}
	return i
}

// nextErrors returns the next set of at most n of the lowest width bits, or false after the last
// set. The first set is empty. Sets of fewer bits come first.
func nextErrors(errors uint64, width, n int) (uint64, bool) {
	if errors != 0 {
		low := errors & -errors // the next larger number with as many ones, by Gosper
		high := errors + low
		if next := high | (errors^high)/low>>2; next < 1<<width {
			return next, true
		}
	}
	more := bits.OnesCount64(errors) + 1
	return 1<<more - 1, more <= min(n, width)
}
