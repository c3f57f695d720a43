package join

import (
	"context"
	"errors"
	"iter"
	"math/bits"
	"slices"
	"sync/atomic"

	"simhashkit/asm/hamming"
	"simhashkit/fphash/index"
	"simhashkit/internal/hugepages"
)

// Groups holds the groups of near-duplicates of a set: fingerprints that are connected by chains of
// pairs within k.
type Groups struct {
	set     *index.Set
	k       int
	starts  []int    // by group: its start in members; the last element is len(members)
	members []uint32 // positions
}

// NewGroups returns groups that another search has found. Each has the positions of its members, in
// ascending order.
func NewGroups(set *index.Set, k int, groups [][]uint32) *Groups {
	g := &Groups{set: set, k: k, starts: []int{0}}
	for _, members := range groups {
		g.members = append(g.members, members...)
		g.starts = append(g.starts, len(g.members))
	}
	return g
}

// Groups returns the groups that the pairs of the set form. Fingerprints without near fingerprints
// are in no group. Keeping one fingerprint of each group is the deduplication called components.
//
// With Recall, groups may also join pairs within K that Pairs does not find.
//
// Groups of many near fingerprints take little more time than as many unrelated ones, because most
// pairs within a known group are skipped.
func (j *Join) Groups(ctx context.Context) (*Groups, error) {
	if j.Against != nil {
		return nil, errors.New("join: groups between two sets, expected one set")
	}
	if err := j.check(); err != nil {
		return nil, err
	}
	plan := j.plan()
	return j.groups(ctx, &plan)
}

// groups finds the groups according to the plan.
func (j *Join) groups(ctx context.Context, p *Plan) (*Groups, error) {
	joined := j
	var d *distinctJoin
	if p.groupsDistinct() {
		var err error
		if d, err = j.distinct(ctx); err != nil {
			return nil, err
		}
		joined = &d.Join
	}
	trees := newForest(joined.Set.Len())
	crew := newCrew(ctx, j.workers(), p.parts(joined), j.Progress)
	defer crew.end()
	if err := crew.joinGroups(p.stages(joined, trees.find), trees); err != nil {
		return nil, err
	}
	if d != nil {
		trees = d.first.whole(trees)
	}
	return collectGroups(j.Set, j.K, trees), nil
}

// collectGroups returns the groups of the forest, in the order of their first members.
func collectGroups(set *index.Set, k int, trees forest) *Groups {
	sizes := make([]uint32, len(trees))
	for i := range trees {
		sizes[trees.find(uint32(i))]++
	}
	g := &Groups{set: set, k: k, starts: []int{0}}
	at := make([]int, len(trees)) // by root: where its next member goes
	n := 0
	for i, size := range sizes {
		if size > 1 {
			at[i] = n
			n += int(size)
			g.starts = append(g.starts, n)
		}
	}
	g.members = make([]uint32, n)
	for i := range trees {
		if root := trees.find(uint32(i)); sizes[root] > 1 {
			g.members[at[root]] = uint32(i)
			at[root]++
		}
	}
	return g
}

// Len returns the number of groups.
func (g *Groups) Len() int { return len(g.starts) - 1 }

// At returns the positions in the set of the members of a group, ascending; there are at least two.
// Groups are in the order of their first members.
func (g *Groups) At(i int) []uint32 { return g.members[g.starts[i]:g.starts[i+1]] }

// All yields all groups.
func (g *Groups) All() iter.Seq2[int, []uint32] {
	return func(yield func(int, []uint32) bool) {
		for i := range g.Len() {
			if !yield(i, g.At(i)) {
				return
			}
		}
	}
}

// First returns the deduplication called first: in the order of the set, it keeps each fingerprint
// that is not within k of an already kept one. For each position it returns the position of the
// first kept fingerprint within k, which is the same position if the fingerprint itself is kept. If
// order is not nil, it compares positions, and the members of a group are processed in that order.
// The first old positions of the set are always kept, and are processed first in any order.
//
// In a chain a ~ b ~ c where a and c are not near each other, First keeps a and c, while components
// keep only a. Cost: each member of a small group is compared with the kept members of its group.
// In a large group, the kept members of the first half are joined with the second half.
func (g *Groups) First(ctx context.Context, order func(a, b uint32) int, old int) ([]uint32, error) {
	return g.first(ctx, order, old, keptTogether)
}

// first is First with a limit on the size of groups that are not halved.
func (g *Groups) first(ctx context.Context, order func(a, b uint32) int, old, together int) ([]uint32, error) {
	f := &first{ctx: ctx, set: g.set, k: g.k, of: make([]uint32, g.set.Len()), together: together}
	for i := range f.of {
		f.of[i] = uint32(i)
	}
	for i := range g.Len() {
		members := g.At(i)
		if order != nil {
			members = slices.SortedFunc(slices.Values(members), order)
		}
		n := 0
		for n < len(members) && members[n] < uint32(old) {
			n++
		}
		if n > 0 {
			members = f.without(slices.Clone(members[n:]), members[:n])
		}
		if f.keepGroup(members); ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
	return f.of, nil
}

const (
	keptTogether = 1 << 15 // maximum size of a group that is not halved
	askedAtOnce  = 256     // number of members that are compared with kept ones at a time
)

// first finds, for each member of a group, the first kept fingerprint within k.
type first struct {
	ctx context.Context
	set *index.Set
	k   int
	of  []uint32 // by position: the first kept fingerprint within k

	together int // maximum size of a group that is not halved

	kept    []uint32 // positions
	words   []uint64 // words of the kept fingerprints of a part
	queries []uint64
	rows    []uint32 // positions of the queries
	matches []hamming.QueryMatch
	near    []hamming.Match
	worker  *worker
}

// keepGroup finds the first kept fingerprint for each member of a group. It reduces the
// fingerprints of a large group to the bits that vary in it.
func (f *first) keepGroup(members []uint32) {
	if len(members) < leastLarge {
		f.kept = f.keep(f.kept[:0], members)
		return
	}
	set := &index.Set{Bits: f.set.Bits, Words: f.gather(nil, members)}
	within := &first{ctx: f.ctx, set: condensed(set), k: f.k, together: f.together}
	for i := range members {
		within.of = append(within.of, uint32(i))
	}
	within.keep(nil, slices.Clone(within.of))
	for i, of := range within.of {
		f.of[members[i]] = members[of]
	}
}

// keep appends to kept the members that are not near one kept before.
func (f *first) keep(kept, members []uint32) []uint32 {
	if len(members) <= f.together {
		return f.keepPart(kept, members)
	}
	from, half := len(kept), len(members)/2
	kept = f.keep(kept, members[:half])
	return f.keep(kept, f.without(slices.Clone(members[half:]), kept[from:]))
}

// without removes from members, in place, those that are near a kept fingerprint, and records the
// first such fingerprint in f.of.
func (f *first) without(members, kept []uint32) []uint32 {
	nearest := make([]uint32, len(members)) // index in kept of the first near fingerprint, plus 1
	if !f.join(nearest, members, kept) {
		clear(nearest)
		f.scan(nearest, members, kept)
	}
	rest := members[:0]
	for i, m := range members {
		if nearest[i] > 0 {
			f.of[m] = kept[nearest[i]-1]
		} else {
			rest = append(rest, m)
		}
	}
	return rest
}

// scan compares members with all kept fingerprints.
func (f *first) scan(nearest, members, kept []uint32) {
	f.words = f.gather(f.words[:0], kept)
	for from := 0; from < len(members) && f.ctx.Err() == nil; from += askedAtOnce {
		to := min(from+askedAtOnce, len(members))
		f.ask(nearest[from:to], members[from:to])
	}
}

// ask compares members with the words of kept fingerprints.
func (f *first) ask(nearest, members []uint32) {
	stride := f.set.Stride()
	asked := f.rows[:0]
	for i := range members {
		asked = append(asked, uint32(i))
	}
	for from := 0; from < len(f.words) && len(asked) > 0; from += columnsOfRow * stride {
		f.queries = f.queries[:0]
		for _, i := range asked {
			f.queries = append(f.queries, f.set.At(int(members[i]))...)
		}
		to := min(from+columnsOfRow*stride, len(f.words))
		f.matches = hamming.AppendWithinBatch(f.matches[:0], f.words[from:to], f.queries, stride, f.k)
		for _, m := range slices.Backward(f.matches) { // backward, so that the first match of each member is set last
			nearest[asked[m.Query]] = uint32(from/stride+m.Index) + 1
		}
		if len(f.matches) > 0 {
			asked = slices.DeleteFunc(asked, func(i uint32) bool { return nearest[i] > 0 })
		}
	}
	f.rows = asked
}

// keepPart is keep for at most f.together members.
func (f *first) keepPart(kept, members []uint32) []uint32 {
	var nearest [askedAtOnce]uint32
	stride := f.set.Stride()
	start := len(kept)
	f.words = f.words[:0]
	for from := 0; from < len(members) && f.ctx.Err() == nil; from += askedAtOnce {
		some := members[from:min(from+askedAtOnce, len(members))]
		clear(nearest[:])
		before := len(f.words)
		f.ask(nearest[:len(some)], some)
		for i, m := range some {
			words := f.set.At(int(m))
			if nearest[i] == 0 {
				f.near = hamming.AppendWithin(f.near[:0], f.words[before:], words, f.k)
				if len(f.near) > 0 {
					nearest[i] = uint32(before/stride+f.near[0].Index) + 1
				}
			}
			if nearest[i] > 0 {
				f.of[m] = kept[start+int(nearest[i])-1]
				continue
			}
			kept, f.words = append(kept, m), append(f.words, words...)
		}
	}
	return kept
}

func (f *first) gather(words []uint64, positions []uint32) []uint64 {
	for _, p := range positions {
		words = append(words, f.set.At(int(p))...)
	}
	return words
}

// join finds the first of kept within k of each member, by a join of the bits that vary. It returns
// false if that costs more than a scan.
func (f *first) join(nearest, members, kept []uint32) bool {
	if f.k >= f.set.Bits || len(members) == 0 {
		return false
	}
	set := &index.Set{Bits: f.set.Bits, Words: f.gather(f.gather(nil, kept), members)}
	scanned := scan(float64(len(kept))*float64(len(members)), f.set.Bits)
	j, p := joinOfVarying(set, len(kept), f.k, scanned)
	if j == nil {
		return false
	}
	if f.worker == nil {
		f.worker = newWorker(f.ctx)
	}
	f.worker.spent, f.worker.most, f.worker.full = 0, scanned, false
	return f.worker.runAll(p.stages(j, nil), f.worker.stopped, func(n near) bool {
		m := n.b - uint64(len(kept))
		if k := uint32(n.a) + 1; nearest[m] == 0 || nearest[m] > k {
			nearest[m] = k
		}
		return true
	})
}

// forest records which fingerprints are in the same group, as trees whose roots are the first
// members of their groups. It is safe for concurrent use.
type forest []uint32

func newForest(n int) forest {
	f := make(forest, n)
	for i := range f {
		f[i] = uint32(i)
	}
	return f
}

// find returns the first member of the group of i.
func (f forest) find(i uint32) uint32 {
	for {
		parent := atomic.LoadUint32(&f[i])
		if parent == i {
			return i
		}
		grandparent := atomic.LoadUint32(&f[parent])
		if grandparent != parent {
			atomic.CompareAndSwapUint32(&f[i], parent, grandparent) // shortens the path
		}
		i = grandparent
	}
}

// union merges the groups of a and b.
func (f forest) union(a, b uint32) {
	for {
		a, b = f.find(a), f.find(b)
		if a == b {
			return
		}
		if a > b {
			a, b = b, a
		}
		if atomic.CompareAndSwapUint32(&f[b], b, a) {
			return
		}
	}
}

// distinct holds the fingerprints of a set without copies. Thousands of copies would share every
// key, and would be compared with each other in each bucket.
type distinct struct {
	set     *index.Set
	starts  []uint32 // by position in set: start in members
	members []uint32 // positions in the whole set of equal fingerprints, ascending
}

func newDistinct(ctx context.Context, set *index.Set) (*distinct, error) {
	n := set.Len()
	class, firsts := classes(ctx, set)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	d := &distinct{set: set}
	if len(firsts) < n {
		d.set = &index.Set{Bits: set.Bits, Words: make([]uint64, 0, len(firsts)*set.Stride())}
		for _, first := range firsts {
			d.set.Words = append(d.set.Words, set.At(int(first))...)
		}
	}
	d.starts = make([]uint32, len(firsts)+1)
	for _, c := range class {
		d.starts[c+1]++
	}
	for i := range firsts {
		d.starts[i+1] += d.starts[i]
	}
	d.members = make([]uint32, n)
	at := slices.Clone(d.starts)
	for i, c := range class {
		d.members[at[c]] = uint32(i)
		at[c]++
	}
	return d, nil
}

// classes numbers the distinct fingerprints of a set in order of their first positions. It returns
// the number of each position, and the first position of each number. It stops when the context is
// done.
func classes(ctx context.Context, set *index.Set) (class, firsts []uint32) {
	n := set.Len()
	class = make([]uint32, n)
	shift := 64 - bits.Len(uint(2*n))
	slots := hugepages.Make[uint32](1 << (64 - shift)) // number + 1, at the hash of the words or later
	for i := range n {
		if i%(1<<16) == 0 && ctx.Err() != nil {
			break
		}
		words := set.At(i)
		slot := hashOf(words) >> shift
		for ; ; slot = (slot + 1) & uint64(len(slots)-1) {
			if slots[slot] == 0 {
				class[i] = uint32(len(firsts))
				firsts = append(firsts, uint32(i))
				slots[slot] = uint32(len(firsts))
				break
			}
			if c := slots[slot] - 1; slices.Equal(words, set.At(int(firsts[c]))) {
				class[i] = c
				break
			}
		}
	}
	return class, firsts
}

// hashOf returns a hash whose high bits depend on all words.
func hashOf(words []uint64) (h uint64) {
	for _, x := range words {
		h = (h ^ x) * 0x9E3779B97F4A7C15
		h ^= h >> 32
	}
	return h * 0x9E3779B97F4A7C15
}

// of returns the ascending positions of a distinct fingerprint and its copies.
func (d *distinct) of(position uint32) []uint32 {
	return d.members[d.starts[position]:d.starts[position+1]]
}

type distinctJoin struct {
	Join
	first, second *distinct // second is nil if there is only one set
}

func (j *Join) distinct(ctx context.Context) (d *distinctJoin, err error) {
	d = &distinctJoin{Join: *j}
	if d.first, err = newDistinct(ctx, j.Set); err != nil {
		return nil, err
	}
	d.Set = d.first.set
	if j.Against != nil {
		if d.second, err = newDistinct(ctx, j.Against); err != nil {
			return nil, err
		}
		d.Against = d.second.set
	}
	return d, nil
}

// nearWithCopies is near, but joins only distinct fingerprints and adds their copies.
func (j *Join) nearWithCopies(ctx context.Context, p *Plan, yield func(near) bool) error {
	d, err := j.distinct(ctx)
	if err != nil {
		return err
	}
	n, more := 0, true
	each := func(pair near) bool {
		if n++; n%1024 == 0 && ctx.Err() != nil {
			return false
		}
		more = yield(pair)
		return more
	}
	err = d.near(ctx, p, func(pair near) bool { return d.expand(pair, each) })
	if err == nil && more && ctx.Err() == nil {
		d.copies(each)
	}
	if err == nil && more {
		err = context.Cause(ctx)
	}
	return err
}

// expand calls yield for each pair of positions in the whole sets that a pair of distinct
// fingerprints represents.
func (d *distinctJoin) expand(n near, yield func(near) bool) bool {
	second, b, ahead := d.first, uint32(n.b), 0
	if d.second != nil {
		second, b, ahead = d.second, b-uint32(d.Set.Len()), len(d.first.members)
	}
	for _, x := range d.first.of(uint32(n.a)) {
		for _, y := range second.of(b) {
			x, y := uint64(x), uint64(y)+uint64(ahead)
			if !yield(near{min(x, y), max(x, y), n.distance}) {
				return false
			}
		}
	}
	return true
}

// copies calls yield for each pair of equal fingerprints in the set.
func (d *distinctJoin) copies(yield func(near) bool) bool {
	if d.second != nil {
		return true
	}
	for i := range d.Set.Len() {
		same := d.first.of(uint32(i))
		for a, x := range same {
			for _, y := range same[a+1:] {
				if !yield(near{uint64(x), uint64(y), 0}) {
					return false
				}
			}
		}
	}
	return true
}

// whole converts groups of distinct fingerprints to groups of all fingerprints.
func (d *distinct) whole(trees forest) forest {
	all := newForest(len(d.members))
	for i := range trees {
		first := d.of(trees.find(uint32(i)))[0]
		for _, m := range d.of(uint32(i)) {
			all.union(first, m)
		}
	}
	return all
}
