package join

import (
	"iter"
	"math/bits"
	"slices"

	"simhashkit/asm/hamming"
	"simhashkit/fphash/index"
)

// A crowd is a bucket with many near pairs, or one much larger than the buckets of random
// fingerprints. Comparing all its pairs would take quadratic time. To find groups, it is enough to
// search the crowd like a graph: compare a member of a group with the fingerprints outside of the
// group, and add those within k to the group. The larger the share of near pairs, the faster this
// ends. If the share is small, the bits that vary in the crowd are joined recursively.

const (
	leastDense   = 64      // size below which a bucket is never a crowd
	sampleSize   = 32      // number of fingerprints in the sample of a bucket
	pairsOfDense = 3       // number of near pairs in the sample that makes a bucket a crowd
	leastLarge   = 1 << 11 // size from which a bucket is always a crowd
	timesLarge   = 16      // the same, as a multiple of the average bucket size
	leastPairs   = 1 << 20 // number of pairs from which two buckets are always a crowd
	leastTrial   = 1 << 12 // the same, if sampled rows have many hits
	rowsOfCrowd  = 16      // number of sampled rows
	hitsOfCrowd  = 32      // many hits: more than one in hitsOfCrowd pairs

	mostRows     = 64      // maximum number of fingerprints compared with all others at a time
	columnsOfRow = 1 << 13 // number of these others per call, to limit the number of matches
	fewLeft      = 64      // few enough remaining fingerprints to compare them with all others
	shareLeft    = 256     // the same, if at most members/shareLeft are left
	rowsAlone    = 16      // with fewer rows at a time, all rows are members of the current group
	rowsOfTrial  = 512     // number of compared rows after which a crowd may become a nested join
	seenBits     = 10
	mostDepth    = 3 // maximum depth of nested joins
)

// crowds reports whether a bucket is a crowd.
func (w *worker) crowds(l *level, from, to int) bool {
	n := to - from
	return w.trees != nil && n >= leastDense && (n >= w.task.plan.large() || w.nearInSample(l, from, to) >= pairsOfDense)
}

// large returns the size from which a bucket is always a crowd.
func (p *Plan) large() int {
	return max(leastLarge, int(timesLarge*float64(p.Fingerprints)*p.met.shares[0]))
}

// nearInSample returns the number of near pairs in a sample of a bucket, estimated from windows.
func (w *worker) nearInSample(l *level, from, to int) int {
	n := to - from
	var screens [sampleSize]uint32
	for i := range screens {
		screens[i] = l.screens[from+share(i, n, sampleSize)]
	}
	pairs := 0
	w.hits = hamming.AppendNearPairs(w.hits[:0], screens[:], l.limit)
	for _, h := range w.hits {
		a, b := l.up[from+share(int(h.Row), n, sampleSize)], l.up[from+share(int(h.Column), n, sampleSize)]
		if bits.OnesCount64(l.windows[a]^l.windows[b]) <= w.task.table().windows {
			pairs++
		}
	}
	return pairs
}

// crowd holds fingerprints whose near pairs are to be joined: first the remaining fingerprints,
// then those members of the current group that are not yet compared. A fingerprint is removed after
// it was compared with all remaining ones.
type crowd struct {
	ids           []uint32 // numbers in the forest
	words         []uint64
	stride        int
	left, members int

	queries []uint64 // words of some rows
	rows    []uint32 // ids of the rows
	matches []hamming.QueryMatch
	near    []bool
	random  uint32

	seen   []uint64 // by hash: the last compared member
	used   [1 << seenBits]bool
	inside *worker // worker of the nested join
}

// joinBucket joins the groups of a bucket.
func (w *worker) joinBucket(depth, from, to int) {
	w.crowd.reset(w.task.join.Set)
	for _, u := range w.levels[depth].up[from:to] {
		w.crowd.ids = append(w.crowd.ids, w.position(depth, u))
	}
	w.joinCrowd()
}

// joinBuckets joins the groups of two buckets of different partitions.
func (w *worker) joinBuckets(rows, columns *side, from, to, from2, to2 uint32) {
	w.crowd.reset(w.task.join.Set)
	root, same := w.group(rows.positions[rows.up[from]]), true
	add := func(s *side, from, to uint32) {
		for _, u := range s.up[from:to] {
			p := s.positions[u]
			w.crowd.ids = append(w.crowd.ids, p)
			same = same && w.group(p) == root
		}
	}
	add(rows, from, to)
	if add(columns, from2, to2); !same {
		w.joinCrowd()
	}
}

func (c *crowd) reset(set *index.Set) {
	c.ids, c.words, c.stride, c.random = c.ids[:0], c.words[:0], set.Stride(), 1
	c.seen = slices.Grow(c.seen[:0], c.stride<<seenBits)[:c.stride<<seenBits]
	clear(c.used[:])
}

// joinCrowd joins all near pairs of the worker's crowd, whose ids are positions.
func (w *worker) joinCrowd() {
	c, j := &w.crowd, w.task.join
	for i, p := range c.ids {
		c.words = append(c.words, j.Set.At(int(p))...)
		c.ids[i] = w.id(p)
	}
	c.left, c.members = len(c.ids), 0
	rows, trial, before := 1, rowsOfTrial, c.left
	for compared := 0; c.left > 0 && !w.stopped(); {
		if compared >= trial && c.left+c.members >= leastLarge {
			if c.left > before/2 && w.joinInside() {
				return
			}
			trial, before = 2*compared, c.left
		}
		if c.members == 0 {
			c.seed(w.trees)
		}
		if c.members == 0 && rows < rowsAlone {
			c.take(c.draw(c.left))
		}
		n, ofGroup := min(rows, c.members), true
		few := rows >= rowsAlone && c.left <= max(fewLeft, c.members/shareLeft)
		if few || n == 0 {
			n, ofGroup = min(mostRows, c.left), false
		}
		found := c.compare(w, n, ofGroup)
		if compared += n; !ofGroup {
			continue
		}
		// If the rows find many fingerprints, they find the same ones, which wastes comparisons.
		if found <= c.left/mostRows {
			rows = min(2*rows, mostRows)
		} else {
			rows = max(rows/2, 1)
		}
	}
}

// seed chooses the current group: a group with many of the remaining fingerprints.
func (c *crowd) seed(trees forest) {
	var roots [mostRows]uint32
	for i := range roots {
		roots[i] = trees.find(c.ids[share(i, c.left, len(roots))])
	}
	best, most := mostFrequent(roots[:])
	if most == 1 || c.left < len(roots) {
		return
	}
	for i := c.left - 1; i >= 0; i-- {
		if trees.find(c.ids[i]) == best {
			c.take(i)
		}
	}
}

// compare compares n rows with all remaining fingerprints, joins near pairs, and removes the rows.
// The rows are members of the current group if ofGroup is true, and otherwise remaining
// fingerprints. It returns the number of near pairs.
func (c *crowd) compare(w *worker, n int, ofGroup bool) (found int) {
	c.queries, c.rows = c.queries[:0], c.rows[:0]
	columns := c.left
	if !ofGroup {
		columns += c.members // members that are not yet compared
	}
	for range n {
		var i int
		if ofGroup {
			i = c.left + c.draw(c.members)
		} else {
			i = c.draw(c.left)
		}
		if words := c.words[i*c.stride : (i+1)*c.stride]; !ofGroup || !c.again(words) {
			c.rows = append(c.rows, c.ids[i])
			c.queries = append(c.queries, words...)
		}
		if ofGroup {
			c.swap(i, c.left+c.members-1)
			c.members--
		} else {
			c.leave(i)
		}
	}
	columns = min(columns, c.left+c.members)
	if !ofGroup {
		w.joinRows(c)
	}
	c.near = slices.Grow(c.near[:0], columns)[:columns]
	clear(c.near)
	for from := 0; from < columns && !w.stopped(); from += columnsOfRow {
		to := min(from+columnsOfRow, columns)
		w.task.join.count(len(c.rows) * (to - from))
		c.matches = hamming.AppendWithinBatch(c.matches[:0], c.words[from*c.stride:to*c.stride], c.queries, c.stride, w.task.join.K)
		for _, m := range c.matches {
			c.near[from+m.Index] = true
			w.trees.union(c.rows[m.Query], c.ids[from+m.Index])
		}
		found += len(c.matches)
	}
	if ofGroup && found > 0 {
		for i := columns - 1; i >= 0; i-- {
			if c.near[i] {
				c.take(i)
			}
		}
	}
	return found
}

// again reports whether a copy of a member was already compared. Without this check, each of
// thousands of copies would be compared with all other groups.
func (c *crowd) again(words []uint64) bool {
	slot := int(hashOf(words) >> (64 - seenBits))
	seen := c.seen[slot*c.stride : (slot+1)*c.stride]
	if c.used[slot] && slices.Equal(seen, words) {
		return true
	}
	c.used[slot] = true
	copy(seen, words)
	return false
}

// joinRows joins the near pairs among the rows.
func (w *worker) joinRows(c *crowd) {
	c.matches = hamming.AppendWithinBatch(c.matches[:0], c.queries, c.queries, c.stride, w.task.join.K)
	for _, m := range c.matches {
		w.trees.union(c.rows[m.Query], c.rows[m.Index])
	}
}

// draw returns a random number below n.
func (c *crowd) draw(n int) int {
	c.random = c.random*1664525 + 1013904223
	return int(uint64(c.random) * uint64(n) >> 32)
}

func (c *crowd) swap(a, b int) {
	if a == b {
		return
	}
	c.ids[a], c.ids[b] = c.ids[b], c.ids[a]
	for i := range c.stride {
		c.words[a*c.stride+i], c.words[b*c.stride+i] = c.words[b*c.stride+i], c.words[a*c.stride+i]
	}
}

// take moves a remaining fingerprint to the current group.
func (c *crowd) take(i int) {
	c.left--
	c.members++
	c.swap(i, c.left)
}

// leave removes a remaining fingerprint.
func (c *crowd) leave(i int) {
	c.take(i)
	c.swap(c.left, c.left+c.members-1)
	c.members--
}

// joinInside joins the rest of the crowd by the bits that vary in it. It returns false if comparing
// all pairs would cost less.
func (w *worker) joinInside() bool {
	c := &w.crowd
	if w.depth == mostDepth {
		return false
	}
	set := &index.Set{Bits: w.task.join.Set.Bits, Words: c.words[:(c.left+c.members)*c.stride]}
	most := scan(float64(c.left)*float64(c.members)+float64(c.left)*float64(c.left)/2, set.Bits)
	j, p := joinOfVarying(set, w.task.join.K, most)
	if j == nil {
		return false
	}
	if c.inside == nil {
		c.inside = newWorker(w.ctx)
		c.inside.depth = w.depth + 1
	}
	in := c.inside
	in.trees, in.ids = w.trees, func(position uint32) uint32 { return c.ids[position] }
	group := func(position uint32) uint32 { return w.trees.find(c.ids[position]) }
	in.runAll(p.stages(j, group), w.stopped, func(p near) bool {
		w.trees.union(c.ids[p.a], c.ids[p.b])
		return true
	})
	return true
}

// joinOfVarying returns a join of the bits that vary in a set, and its plan. It returns nil if the
// join would cost more than most, or if all fingerprints are near each other.
func joinOfVarying(set *index.Set, k int, most float64) (*Join, *Plan) {
	varying := varyingBits(set)
	if len(varying) <= k {
		return nil, nil
	}
	taken := &index.Set{Bits: len(varying)}
	taken.Words = make([]uint64, set.Len()*taken.Stride())
	j := &Join{Set: taken, K: k}
	p := j.plan()
	if p.Blocks == 0 || p.tablesCost() > most {
		return nil, nil
	}
	takeBits(taken, set, p.dealt(varying))
	return j, &p
}

// runAll runs all parts of the stages until stop returns true. They run in memory, where no errors
// occur.
func (w *worker) runAll(stages iter.Seq[stage], stop func() bool, emit sink) {
	for s := range stages {
		if s.prepare(w.ctx, 1) != nil {
			return
		}
		for part := range s.parts {
			if stop() {
				return
			}
			_ = s.run(w, part, emit)
		}
	}
}

// varyingBits returns the bits that vary in a set, the most balanced first.
func varyingBits(set *index.Set) (list []int) {
	const most = 1 << 12
	differ, stride, n := make([]uint64, set.Stride()), set.Stride(), set.Len()
	for i, x := range set.Words {
		differ[i%stride] |= x ^ set.Words[i%stride]
	}
	ones, looked := make([]int, set.Bits), min(n, most)
	for i := range looked {
		for w, x := range set.At(share(i, n, looked)) {
			for ; x > 0; x &= x - 1 {
				ones[w*64+bits.TrailingZeros64(x)]++
			}
		}
	}
	for bit := range set.Bits {
		if differ[bit/64]>>(bit%64)&1 > 0 {
			list = append(list, bit)
		}
	}
	bias := func(bit int) int { return max(2*ones[bit], 2*looked-2*ones[bit]) }
	slices.SortStableFunc(list, func(a, b int) int { return bias(a) - bias(b) })
	return list
}

// dealt returns the new position of each bit such that the keys of all blocks contain some of the
// most balanced bits.
func (p *Plan) dealt(list []int) []int {
	to := make([]int, len(list))
	for depth, next := 0, 0; next < len(list); depth++ {
		for i := range p.tables {
			if t := &p.tables[i]; depth < t.width {
				to[t.end-1-depth] = list[next]
				next++
			}
		}
	}
	return to
}

// takeBits sets bit i of each fingerprint of set to bit of[i] of the same fingerprint of other.
func takeBits(set, other *index.Set, of []int) {
	for i := range other.Len() {
		to, from := set.At(i), other.At(i)
		for bit, b := range of {
			to[bit/64] |= from[b/64] >> (b % 64) & 1 << (bit % 64)
		}
	}
}
