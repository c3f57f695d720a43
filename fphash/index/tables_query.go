package index

import (
	"math/bits"

	"simhashkit/asm/hamming"
	"simhashkit/fphash/index/internal/layout"
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
