package index

import (
	"math/bits"

	"simhashkit/asm/hamming"
	"simhashkit/fphash/index/internal/layout"
	"simhashkit/internal/binomial"
)

// probesAtOnce is the number of buckets that are requested from memory before the first is
// examined. A processor can wait for 10 to 16 cache lines at a time, and a few more do no harm.
const probesAtOnce = 32

func (t *tables) AppendWithin(dst []Match, query Query, k int) ([]Match, error) {
	queries := [1]Query{query}
	if err := checkAll(t, queries[:], k); err != nil {
		return dst, err
	}
	r := results{one: dst}
	a := asking{tables: t, queries: queries[:], k: k, results: &r}
	a.answer()
	sortMatches(r.one[len(dst):])
	return r.single(dst)
}

func (t *tables) AppendWithinBatch(dst []QueryMatch, queries []Query, k int) ([]QueryMatch, error) {
	if err := checkAll(t, queries, k); err != nil {
		return dst, err
	}
	r := results{each: dst, many: true}
	a := asking{tables: t, queries: queries, k: k, results: &r}
	a.answer()
	sortQueryMatches(r.each[len(dst):])
	return r.several(dst)
}

// asking is the state of queries of tables. It collects the probes of all queries, and examines
// many of them at a time.
type asking struct {
	tables  *tables
	queries []Query
	k       int
	results *results

	reach, errors int // design.reach(k)
	probes        [probesAtOnce]probe
	n             int // number of probes collected
	read          uint32
}

func (a *asking) answer() {
	t := a.tables
	a.reach, a.errors = t.design.reach(a.k)
	scan := t.probes(a.reach, a.errors) > mostProbes
	for i := range a.queries {
		q := &a.queries[i]
		switch {
		case scan:
			t.scan.one(a.results, i, q, a.k)
		case a.errors == 0:
			a.plain(i, q)
		default:
			a.enumerate(i, q)
		}
	}
	a.flush()
}

// plain probes the query's bucket in each table.
func (a *asking) plain(i int, q *Query) {
	for j := range a.tables.list[:a.reach] {
		t := &a.tables.list[j]
		x := t.window.of(q.Words)
		a.ask(i, j, uint32(x>>t.shift), uint32(x))
	}
}

// enumerate probes the buckets that differ from the query's bucket in at most a.errors bits.
func (a *asking) enumerate(i int, q *Query) {
	for j := range a.tables.list[:a.reach] {
		t := &a.tables.list[j]
		x := t.window.of(q.Words)
		for errors, more := uint64(0), true; more; errors, more = nextErrors(errors, t.window.width-t.shift, a.errors) {
			a.ask(i, j, uint32(x>>t.shift^errors), uint32(x))
		}
	}
}

// ask adds a probe. If there are probesAtOnce, it examines them.
func (a *asking) ask(query, table int, bucket, screen uint32) {
	p := &a.probes[a.n] // set in place: a copy would wait for the stores
	p.query, p.table, p.bucket, p.screen = int32(query), int32(table), bucket, screen
	if a.n++; a.n == probesAtOnce {
		a.flush()
	}
}

func (a *asking) flush() {
	read, err := a.tables.find(a.probes[:a.n])
	if err != nil {
		a.results.err, a.n = err, 0
		return
	}
	a.read += read
	for i := range a.probes[:a.n] {
		if p := &a.probes[i]; p.from < p.to {
			a.look(p)
		}
	}
	a.n = 0
}

// fewScreens is the maximum number of screens that Go code compares. The setup of a kernel would
// take longer.
const fewScreens = 32

// manyScreens is the number of screens that a kernel compares at a time. It limits the buffer for
// matches, even if all screens are equal.
const manyScreens = 1024

// look compares the query with the screens of a bucket, and then with the fingerprints whose
// screens are near.
func (a *asking) look(p *probe) {
	t := &a.tables.list[p.table]
	screens, positions := t.screens[p.from:p.to], t.positions[p.from:p.to]
	if len(screens) > fewScreens {
		a.lookAtMany(p, t, screens, positions)
		return
	}
	for i, s := range screens {
		if bits.OnesCount32(s^p.screen) <= a.k {
			a.verify(p, t, positions[i:])
		}
	}
}

func (a *asking) lookAtMany(p *probe, t *table, screens, positions []uint32) {
	var room [64]hamming.NearPair
	row, near := [1]uint32{p.screen}, room[:0]
	for len(screens) > 0 {
		n := min(len(screens), manyScreens)
		near = hamming.AppendNear(near[:0], row[:], screens[:n], a.k)
		for _, pair := range near {
			a.verify(p, t, positions[pair.Column:])
		}
		screens, positions = screens[n:], positions[n:]
	}
}

// verify adds the fingerprint at the first of the positions if it matches, and if no earlier table
// has found it.
func (a *asking) verify(p *probe, t *table, positions []uint32) {
	set, q := a.tables.scan.set, &a.queries[p.query]
	if err := layout.Use(set.guard, positions[:1]); err != nil {
		a.results.err = err
		return
	}
	i := int(positions[0])
	if err := set.use(i, i+1); err != nil {
		a.results.err = err
		return
	}
	d := set.distanceTo(q, i)
	if d > a.k || !a.first(int(p.table), q, i) {
		return
	}
	if id := set.ID(i); q.allows(id) {
		a.results.add(int(p.query), Match{id, i, d})
	}
}

// first reports whether table is the first table in which the keys of the query and of the
// fingerprint at position i agree, up to the allowed errors.
func (a *asking) first(table int, q *Query, i int) bool {
	for j := range a.tables.list[:table+1] {
		if a.tables.list[j].errors(a.tables.scan.set, q, i) <= a.errors {
			return j == table
		}
	}
	return false
}

// errors returns the number of bits in which the keys of the query and of the fingerprint at
// position i differ.
func (t *table) errors(set *Set, q *Query, i int) (n int) {
	at := i * len(q.Words)
	for j, mask := range t.keyMask {
		w := t.keyFrom + j
		n += bits.OnesCount64((q.Words[w] ^ set.Words[at+w]) & mask)
	}
	return n
}

// probe is the lookup of a bucket of a table for a query.
type probe struct {
	query, table int32
	bucket       uint32
	from, to     uint32 // entries of the bucket
	screen       uint32 // of the query
}

// find looks up the entries of all probed buckets, and then reads a screen from each of their cache
// lines. No read depends on another, so the processor requests all lines from memory at once. The
// comparisons that follow would request one line at a time.
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
	screensOfLine = 16                 // screens in a cache line
	mostTouched   = 32 * screensOfLine // beyond this, the processor prefetches
)

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

// probes returns the number of buckets that a query looks up.
func (t *tables) probes(reach, errors int) (n float64) {
	for i := range t.list[:reach] {
		n += binomial.Ball(t.list[i].window.width-t.list[i].shift, errors)
	}
	return n
}
