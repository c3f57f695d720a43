package index

import (
	"math/bits"

	"simhashkit/asm/hamming"
	"simhashkit/fphash/index/internal/layout"
	"simhashkit/internal/binomial"
)

// probesAtOnce is how many buckets are asked for before the first is looked at. A processor waits
// for 10 to 16 lines of memory at a time, and a few more are none the worse.
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

// asking is queries on their way through the tables: their probes are gathered, of as many queries
// as there are, and looked at together.
type asking struct {
	tables  *tables
	queries []Query
	k       int
	results *results

	reach, errors int // of the design, for k
	probes        [probesAtOnce]probe
	n             int // probes gathered
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

// plain asks for the bucket of the query in each table.
func (a *asking) plain(i int, q *Query) {
	for j := range a.tables.list[:a.reach] {
		t := &a.tables.list[j]
		x := t.window.of(q.Words)
		a.ask(i, j, uint32(x>>t.shift), uint32(x))
	}
}

// enumerate asks for the buckets that differ from the query's in up to so many errors.
func (a *asking) enumerate(i int, q *Query) {
	for j := range a.tables.list[:a.reach] {
		t := &a.tables.list[j]
		x := t.window.of(q.Words)
		for errors, more := uint64(0), true; more; errors, more = nextErrors(errors, t.window.width-t.shift, a.errors) {
			a.ask(i, j, uint32(x>>t.shift^errors), uint32(x))
		}
	}
}

// ask adds a probe, and looks at all that have been gathered when they are enough.
func (a *asking) ask(query, table int, bucket, screen uint32) {
	p := &a.probes[a.n] // which is written to in place: to copy it, the processor would wait for it
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

// fewScreens is up to how many screens are compared here: a kernel has more to prepare.
const fewScreens = 32

// manyScreens is how many screens a kernel looks at before what passes is verified, such that the
// room for it stays small where all are equal.
const manyScreens = 1024

// look compares the query with the screens of a bucket, and with the fingerprints that pass.
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

// verify adds the fingerprint at the first of the positions if it matches, and if this is the
// first of all tables that has it.
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

// first reports whether no table before the given one has the query and the fingerprint at position
// i under keys that agree.
func (a *asking) first(table int, q *Query, i int) bool {
	for j := range a.tables.list[:table+1] {
		if a.tables.list[j].errors(a.tables.scan.set, q, i) <= a.errors {
			return j == table
		}
	}
	return false
}

// errors returns the number of bits of the key in which the query differs from the fingerprint at
// position i.
func (t *table) errors(set *Set, q *Query, i int) (n int) {
	at := i * len(q.Words)
	for j, mask := range t.keyMask {
		w := t.keyFrom + j
		n += bits.OnesCount64((q.Words[w] ^ set.Words[at+w]) & mask)
	}
	return n
}

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
