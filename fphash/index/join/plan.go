package join

import (
	"fmt"
	"iter"
	"math"
	"math/bits"
	"sync"

	"simhashkit/internal/binomial"
	"simhashkit/internal/bytesize"
	"simhashkit/internal/english"
)

// Plan describes how a join works, and what it costs.
type Plan struct {
	Bits, K      int
	Fingerprints int
	Blocks       int // blocks by which fingerprints are grouped; 0: they are not grouped by blocks
	KeyBits      int // bits of each key
	Errors       int // maximum number of bits in which the keys of compared fingerprints differ
	Tables       int // sampled tables, which have keys of KeyBits drawn bits; 0: the join is exact

	// Comparisons is the maximum number of pairs that this plan compares if fingerprints are
	// random. Pairs is the number of all pairs.
	Comparisons, Pairs float64

	Bytes int64 // of memory in addition to the sets, if there are copies among them

	cost, exact float64 // of this plan and of the cheapest exact one, in the unit of costOfSorting
	exactly     float64 // comparisons of the cheapest exact plan; 0: there is none

	rows     int     // fingerprints of the first set
	compared float64 // share of the pairs of all fingerprints that are compared
	tables   []table
	first    uint // bits of the key by which fingerprints are partitioned in memory
	second   uint // bits of the key by which a partition is cut into buckets, in the cache
	costs    costs
	differ   float64 // probability that a bit differs in one of the requested pairs
	recall   float64 // expected, of these pairs
	seed     uint64  // of the bits that are drawn at random
	onDisk   bool    // the partitions are read from disk
}

// Limits of the keys, in bits.
const (
	mostFirst  = 8  // partitions are written side by side: more of them would miss the TLB
	mostSecond = 12 // likewise for buckets and the second-level cache

	inPartition = 12 // fingerprints in an average partition: between 2^11 and 2^12, or many more
	inBucket    = 4  // fingerprints in an average bucket: between 2^3 and 2^4
)

// Plan describes how the join would work. It depends only on the number and width of the
// fingerprints and on the fields of the join.
func (j *Join) Plan() (Plan, error) {
	if err := j.check(); err != nil {
		return Plan{}, err
	}
	return j.plan(), nil
}

func (j *Join) plan() Plan {
	width, n := j.Set.Bits, j.len()
	p := Plan{Bits: width, K: j.K, Fingerprints: n, rows: j.Set.Len(), compared: 1, differ: j.Differ}
	p.recall = p.within()
	all := float64(n) * max(float64(n)-1, 0) / 2
	p.Pairs = all
	if j.Against != nil {
		p.Pairs = float64(j.Set.Len()) * float64(j.Against.Len())
		p.compared = p.Pairs / max(all, 1) // pairs within a single one of two sets are not compared
	}
	p.cost, p.Comparisons = scan(p.Pairs, width), p.Pairs
	byTables := j.K < width
	if byTables {
		p.cheapest()
	}
	if p.exact, p.exactly = p.cost, p.Comparisons; byTables && j.Recall > 0 {
		p.sample(j.Recall, j.Seed)
	}
	return p
}

// mostErrors is the largest number of bits in which the keys of compared fingerprints may differ.
const mostErrors = 4

// cheapest sets the plan to the cheapest one by blocks, if that costs less than a scan.
func (p *Plan) cheapest() {
	q := *p
	for blocks := min(p.K+1, p.Bits); blocks > p.K/(mostErrors+1); blocks-- {
		longest := min(p.Bits/blocks, bits.Len(uint(p.Fingerprints))-inBucket, mostFirst+mostSecond)
		for d := longest; d > max(0, longest-shorterKeys); d-- {
			if float64(blocks)*binomial.Ball(d, p.K/blocks) >= math.Exp2(float64(d)) {
				continue // more than all with all
			}
			q.byBlocks(blocks, d)
			if q.cost = q.total(); q.cost < p.cost {
				*p = q
			}
		}
	}
}

// shorterKeys is the number of key lengths that are tried.
const shorterKeys = 5

// byBlocks sets the plan to that many blocks with keys of d bits, the first of which select
// partitions.
func (p *Plan) byBlocks(blocks, d int) {
	first := min(d, max(bits.Len(uint(p.Fingerprints))-inPartition, d-mostSecond, 0), mostFirst)
	p.Blocks, p.KeyBits, p.Bytes = blocks, d, 12*int64(p.Fingerprints)
	p.first, p.second = uint(first), uint(d-first)
	p.tables = blockTables(p.Bits, p.K, blocks, d)
	p.Errors = 0
	for i := range p.tables {
		p.Errors = max(p.Errors, p.tables[i].errors)
	}
	if p.joinsDistinct() {
		// Memory for the numbers of copies, for partitions in order of their keys, and for the
		// words of the distinct fingerprints.
		p.Bytes += (28 + 8*int64((p.Bits+63)/64)) * int64(p.Fingerprints)
	}
	p.costs = p.costsOf(p.compared)
	p.Comparisons = p.comparisons()
}

// comparisons returns the number of pairs of random fingerprints that the tables compare.
func (p *Plan) comparisons() (n float64) {
	for i := range p.tables {
		n += binomial.Ball(p.KeyBits, p.tables[i].errors)
	}
	return n * math.Exp2(-float64(p.KeyBits)) * p.Pairs
}

// joinsDistinct reports whether the join works on distinct fingerprints.
func (p *Plan) joinsDistinct() bool { return !p.onDisk && (p.Errors > 0 || p.Tables > 0) }

// reports reports whether a table reports a pair within K with this difference. For pairs, exactly
// one table reports each; for groups, at least one does.
func (p *Plan) reports(number int, difference []uint64, groups bool) bool {
	switch {
	case p.Tables == 0:
		return groups || startOf(p.tables, difference) == number
	case !p.tables[number].meets(difference, p.Bits, p.KeyBits):
		return false
	}
	for i := range number {
		if !groups && p.tables[i].meets(difference, p.Bits, p.KeyBits) {
			return false
		}
	}
	return true
}

// parts returns the number of parts of all stages together.
func (p *Plan) parts() int {
	if len(p.tables) == 0 {
		return scanParts(p.rows)
	}
	return len(p.tables) << p.first
}

// stages yields the search of all partitions for each block in turn, or a scan. For groups, group
// returns the group of a position.
func (p *Plan) stages(j *Join, group func(position uint32) uint32) iter.Seq[stage] {
	return func(yield func(stage) bool) {
		if len(p.tables) == 0 {
			yield(scanStage(j))
			return
		}
		t := newPartitions(j, p, group)
		for i := range p.tables {
			if !yield(t.stage(i)) {
				return
			}
		}
	}
}

// String describes the plan in a few lines.
func (p Plan) String() string {
	what := fmt.Sprintf("%s of %d bits", english.Count(p.Fingerprints, "fingerprint"), p.Bits)
	pairs := english.Approximate(p.Pairs)
	if p.Tables == 0 && p.Blocks == 0 {
		return fmt.Sprintf("%s: every pair is compared, %s in all.\n"+
			"For k = %d no plan that compares fewer pairs is cheaper.\n%s", what, pairs, p.K, p.finds())
	}
	work := fmt.Sprintf("If the fingerprints are random, that is about %s of %s pairs. Memory: %s.\n",
		english.Approximate(p.Comparisons), pairs, bytesize.Size(p.Bytes))
	if p.Tables > 0 {
		text := fmt.Sprintf("%s, in %s. Each table draws %d of the bits.\n"+
			"Two fingerprints are compared if they %s of these.\n%s%s",
			what, english.Count(p.Tables, "table"), p.KeyBits, agreeing(p.Errors), work, p.finds())
		if p.exactly > 0 {
			text += fmt.Sprintf("The exact plan would compare about %s pairs.\n", english.Approximate(p.exactly))
		}
		return text
	}
	return fmt.Sprintf("%s, cut into %s. Pairs within k = %d %s of one block.\n"+
		"Two fingerprints are compared if they do so in %d bits of a block.\n%s%s",
		what, english.Count(p.Blocks, "block"), p.K, agreeing(p.Errors), p.KeyBits, work, p.finds())
}

// agreeing says in how many bits keys may differ.
func agreeing(errors int) string {
	if errors == 0 {
		return "agree in all bits"
	}
	return "differ in at most " + english.Count(errors, "bit")
}

// finds describes the expected recall of the requested pairs, if there are any.
func (p *Plan) finds() string {
	if p.differ == 0 {
		return ""
	}
	within := "all of them"
	if p.Tables > 0 {
		within = english.Hundred(p.within()) + "%"
	}
	return fmt.Sprintf("Expected recall of pairs that differ in each bit with probability %.3g: %s%% (%s are within k).\n", p.differ, english.Hundred(p.recall), within)
}

// These costs decide which plan is chosen. They are the same on every machine: approximate
// nanoseconds on one core of an AMD EPYC (Zen 5) with AVX-512. Only their ratios matter.
const (
	costOfSorting   = 4     // of moving a fingerprint to its partition or bucket
	costOfWindow    = 6     // of computing the window of a fingerprint of several words
	costOfWord      = 0.6   // of reading each of these
	costOfDrawn     = 14    // of computing a window of drawn bits
	costOfDisk      = 100   // of writing an entry to its partition and reading it again
	costOfCopies    = 60    // per fingerprint, of detecting copies
	costOfBuckets   = 22    // of comparing two buckets
	costOfScreening = 0.016 // of a pair, by 32 bits
	costOfScanning  = 0.1   // of a pair, for each word
	costOfHit       = 4     // of a pair that passes the comparison
	costOfStop      = 26    // of leaving the vector loop to extract a match
	costOfFetching  = 80    // of fetching the words of such a pair, if it has several
	costOfSampling  = 5e6   // at most, of making a plan with drawn bits
)

// The kernels compare vectors of pairs, so they process a few more rows and columns than two
// buckets have.
const (
	together    = 64
	idleRows    = 2
	idleColumns = 8
)

type costs struct {
	compared float64 // share of the pairs of a bucket that are compared
	pair     float64 // compared in a bucket
	cut      int     // blocks that a bucket is cut into, in one of which a pair agrees
}

// unrelatedWithin returns the probability that unrelated fingerprints differ in at most k of n
// bits, n at most 64. Sampled plans assume that unrelated fingerprints are slightly similar, like
// those of texts that share frequent words. Then many more pairs pass the screens.
func (p *Plan) unrelatedWithin(n, k int) float64 {
	if k < 0 {
		return 0
	}
	table := randomDistances
	if p.Tables > 0 {
		table = alikeDistances
	}
	return table()[n][min(k, n)]
}

var (
	randomDistances = sync.OnceValue(func() [][]float64 { return distances(0.5) })
	alikeDistances  = sync.OnceValue(func() [][]float64 { return distances(0.45) })
)

// distances returns the distributions of the Hamming distance in 0 to 64 bits.
func distances(differ float64) [][]float64 {
	table := make([][]float64, 65)
	for n := range table {
		table[n] = distribution(n, differ)
	}
	return table
}

// distribution returns, for each k, the probability that at most k of n bits differ, if each bit
// differs with probability differ.
func distribution(n int, differ float64) []float64 {
	atMost := make([]float64, n+1)
	binomial.AtMost(atMost, differ)
	return atMost
}

// costsOf returns the costs of buckets for the tables of a plan.
func (p *Plan) costsOf(compared float64) costs {
	screens, windows := 0, 0
	for i := range p.tables {
		screens, windows = max(screens, p.tables[i].screens), max(windows, p.tables[i].windows)
	}
	return costs{compared, compared * (costOfScreening + p.hits(0, screens, windows)), windows + 1}
}

// hits returns the cost of the pairs that pass the screens, per pair whose keys differ in errors
// bits.
func (p *Plan) hits(errors, screens, windows int) float64 {
	width := int(windowBits(p.Bits))
	passing := p.unrelatedWithin(min(screenBits, width), screens-errors)
	cost := passing*costOfHit + (1-math.Exp(-together*passing))/together*costOfStop
	if p.Bits > 64 {
		before := 0.0
		for ones := 0; ones <= min(screenBits, screens-errors); ones++ {
			upTo := p.unrelatedWithin(screenBits, ones)
			cost += (upTo - before) * p.unrelatedWithin(64-screenBits-p.KeyBits, windows-errors-ones) * costOfFetching
			before = upTo
		}
	}
	return cost
}

// all returns the cost of comparing each pair of a bucket.
func (c costs) all(n float64) float64 { return n * n / 2 * c.pair }

// bucket returns the cost of finding the pairs in a bucket of n entries with that many free bits,
// and the width of the blocks by which to cut it again; 0 means that all pairs are compared.
func (c costs) bucket(n float64, free int) (cost float64, cut int) {
	cost = c.all(n)
	if cost <= n*float64(c.cut)*costOfSorting {
		return cost, 0 // the common case, without further arithmetic
	}
	m := min(free/c.cut, bits.Len(uint(n))-inBucket, mostSecond)
	if m < 1 {
		return cost, 0
	}
	buckets := math.Exp2(float64(m))
	each := c.all(n / buckets)
	if n/buckets > 1<<(inBucket+1) {
		each, _ = c.bucket(n/buckets, free-m) // it may be worth cutting these buckets once more
	}
	if again := float64(c.cut) * (n*costOfSorting + buckets*each); again < cost {
		return again, m
	}
	return cost, 0
}

func (p *Plan) distinctCost() float64 {
	if p.joinsDistinct() {
		return float64(p.Fingerprints) * costOfCopies
	}
	return 0
}

func (p *Plan) total() float64 { return p.tablesCost() + p.distinctCost() }

func (p *Plan) tablesCost() (cost float64) {
	each := 0.0
	for i := range p.tables {
		if t := &p.tables[i]; i == 0 || !t.costsLike(&p.tables[i-1]) {
			each = p.tableCost(t)
		}
		cost += each
	}
	return cost
}

func (t *table) costsLike(other *table) bool {
	return t.errors == other.errors && t.screens == other.screens && t.windows == other.windows
}

func (p *Plan) tableCost(t *table) float64 {
	n, d, ways := float64(p.Fingerprints), p.KeyBits, 1.0
	buckets := math.Exp2(float64(d))
	cost, _ := p.costs.bucket(n/buckets, int(windowBits(p.Bits))-d)
	cost = n*p.bringingTogether() + buckets*cost
	for errors := 1; errors <= t.errors; errors++ {
		ways *= float64(d-errors+1) / float64(errors)
		cost += ways * buckets / 2 * p.betweenBuckets(n/buckets, errors, t)
	}
	return cost
}

// bringingTogether returns the cost of moving a fingerprint to its bucket.
func (p *Plan) bringingTogether() float64 {
	cost := 2.0 * costOfSorting
	if p.onDisk {
		cost += costOfDisk
	}
	switch {
	case p.Tables > 0:
		cost += costOfDrawn + costOfWord*float64((p.Bits+63)/64)
	case p.Bits > 64:
		cost += costOfWindow + costOfWord*float64((p.Bits+63)/64)
	}
	return cost
}

// betweenBuckets returns the cost of comparing two buckets of n entries whose keys differ in errors
// bits.
func (p *Plan) betweenBuckets(n float64, errors int, t *table) float64 {
	pairs := n * n * p.costs.compared
	return costOfBuckets + (n+idleRows)*(n+idleColumns)*costOfScreening + pairs*p.hits(errors, t.screens, t.windows)
}

// scan returns the cost of comparing the given number of pairs in memory.
func scan(pairs float64, width int) float64 {
	return pairs * costOfScanning * float64((width+63)/64)
}
