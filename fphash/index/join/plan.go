package join

import (
	"iter"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"

	"simhashkit/fphash"
	"simhashkit/internal/binomial"
)

// Plan describes how a join works and what it costs.
type Plan struct {
	Bits, K      int
	Fingerprints int
	Blocks       int // number of blocks by which fingerprints are grouped; 0: none
	KeyBits      int // number of bits of a key
	Errors       int // maximum number of differing bits in the keys of compared fingerprints
	Tables       int // number of sampled tables with KeyBits drawn bits; 0: the join is exact

	// Comparisons is the maximum number of pairs that this plan compares if fingerprints are
	// random. Pairs is the number of all pairs.
	Comparisons, Pairs float64

	Bytes int64 // memory in addition to the sets, if they contain copies

	cost, exact float64 // costs of this plan and of the cheapest exact plan

	tables []table
	first  uint // number of key bits that select the partition
	second uint // number of key bits that select the bucket in a partition
	costs  costs
	differ float64 // probability that a bit differs in a requested pair
	recall float64 // expected recall of these pairs
	seed   uint64  // seed of the drawn bits
	onDisk bool    // whether partitions are read from disk
	spread *spread // distances of the pairs; nil: those of random fingerprints
	met    *met    // by the spread and KeyBits
}

// Limits of the keys, in bits.
const (
	mostFirst  = 8  // more partitions, written at the same time, would miss the TLB
	mostSecond = 12 // more buckets would miss the second-level cache

	inPartition = 12 // an average partition has 2^11 to 2^12 fingerprints, or many more
	inBucket    = 4  // an average bucket has 2^3 to 2^4 fingerprints
)

// Plan describes how the join would work. It depends only on the number and width of the
// fingerprints and on the fields of the join. With Recall, it also depends on the distances of a
// sample of the fingerprints.
func (j *Join) Plan() (Plan, error) {
	if err := j.check(); err != nil {
		return Plan{}, err
	}
	return j.plan(), nil
}

func (j *Join) plan() Plan {
	width, n := j.Set.Bits, j.Set.Len()
	p := Plan{Bits: width, K: j.K, Fingerprints: n, differ: j.Differ}
	p.recall = p.within()
	p.Pairs = float64(n) * max(float64(n)-1, 0) / 2
	p.cost, p.Comparisons = scan(p.Pairs, width), p.Pairs
	byTables, scan := j.K < width, p
	if byTables {
		p.cheapest()
	}
	if byTables && j.Recall > 0 && p.cost >= costOfSampling {
		p = scan
		p.spread = j.measuredSpread()
		p.cheapest()
	}
	if p.exact = p.cost; byTables && j.Recall > 0 {
		p.sample(j.Recall, j.Seed)
	}
	return p
}

// mostErrors is the maximum number of bits in which the keys of compared fingerprints may differ.
const mostErrors = 4

// cheapest sets the plan to the cheapest plan by blocks, if that costs less than a scan.
func (p *Plan) cheapest() {
	q := *p
	for blocks := min(p.K+1, p.Bits); blocks > p.K/(mostErrors+1); blocks-- {
		longest := min(p.Bits/blocks, bits.Len(uint(p.Fingerprints))-inBucket, mostFirst+mostSecond)
		for d := longest; d > max(0, longest-shorterKeys); d-- {
			if float64(blocks)*binomial.Ball(d, p.K/blocks) >= math.Exp2(float64(d)) {
				continue // this would be more than comparing all pairs
			}
			q.byBlocks(blocks, d)
			if q.cost = q.total(); q.cost < p.cost {
				*p = q
			}
		}
	}
}

// shorterKeys is the number of key lengths that are considered.
const shorterKeys = 5

// byBlocks sets the plan to the given number of blocks with keys of d bits, the first of which
// select partitions.
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
		// Memory for the numbers of copies, for sorted partitions, and for the words of the
		// distinct fingerprints.
		p.Bytes += (28 + 8*int64((p.Bits+63)/64)) * int64(p.Fingerprints)
	}
	if p.met = metAtRandom(d); p.spread != nil {
		p.met = p.spread.met(d)
	}
	p.costs = p.costsOf()
	p.Comparisons = p.comparisons()
}

// comparisons returns the number of pairs that the tables compare.
func (p *Plan) comparisons() (n float64) {
	for i := range p.tables {
		for errors := range min(p.tables[i].errors, mostErrors) + 1 {
			n += p.met.shares[errors]
		}
	}
	return n * p.Pairs
}

// joinsDistinct reports whether groups are those of distinct fingerprints: thousands of copies
// would share every key. Blocks without errors need not: their crowds handle copies, and finding
// copies would take as long as the join.
func (p *Plan) joinsDistinct() bool { return !p.onDisk && (p.Blocks == 0 || p.Errors > 0) }

// reports reports whether a table reports a pair within K with the given difference. For pairs,
// exactly one table reports it, the first that compares it; for groups, at least one does.
func (p *Plan) reports(number int, difference []uint64, groups bool) bool {
	if !p.tables[number].meets(difference, p.Bits, p.KeyBits) {
		return false
	}
	return groups || !slices.ContainsFunc(p.tables[:number], func(t table) bool { return t.meets(difference, p.Bits, p.KeyBits) })
}

// parts returns the total number of parts of all stages of a join with this plan.
func (p *Plan) parts(j *Join) int {
	if len(p.tables) == 0 {
		return scanParts(j.Set.Len())
	}
	return len(p.tables) << p.first
}

// stages yields a stage for each block that searches all partitions, or a scan. For groups, group
// returns the group of a position.
func (p *Plan) stages(j *Join, group func(position uint32) uint32) iter.Seq[stage] {
	return func(yield func(stage) bool) {
		if len(p.tables) == 0 {
			yield(scanStage(j, group != nil))
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

// These costs determine which plan is chosen. They are the same on every machine: approximate
// nanoseconds on one core of an AMD EPYC (Zen 5) with AVX-512. Only their ratios matter.
const (
	costOfSorting   = 4     // moving a fingerprint to its partition or bucket
	costOfWindow    = 6     // computing the window of a fingerprint of several words
	costOfWord      = 0.6   // additionally for each word
	costOfDrawn     = 14    // computing a window of drawn bits
	costOfDisk      = 100   // writing an entry to its partition on disk and reading it
	costOfCopies    = 60    // detecting copies, per fingerprint
	costOfBuckets   = 22    // comparing two buckets
	costOfScreening = 0.016 // comparing a pair in 32 bits
	costOfScanning  = 0.1   // comparing a pair, for each word
	costOfHit       = 4     // a pair that passes the comparison
	costOfStop      = 26    // leaving the vector loop to extract a match
	costOfFetching  = 80    // fetching the words of a pair that passes, if there are several
	costOfSampling  = 5e6   // making a plan with drawn bits, at most
)

// The kernels compare vectors of pairs, so they process a few more rows and columns than two
// buckets have.
const (
	together    = 64
	idleRows    = 2
	idleColumns = 8
)

type costs struct {
	apart float64 // number of buckets by which a bit divides a bucket: 2 at random, fewer if entries are alike
	pair  float64 // cost of a pair that is compared in a bucket
	cut   int     // number of blocks for cutting a bucket; a pair agrees in one of them
}

// unrelatedWithin returns the probability that fingerprints whose keys agree differ in at most k of
// n other bits; n is at most 64.
func (p *Plan) unrelatedWithin(n, k int) float64 {
	if k < 0 {
		return 0
	}
	return p.met.atMost(n)[min(k, n)]
}

var randomDistances = sync.OnceValue(func() [][]float64 { return distances(0.5) })

// distances returns the distributions of the Hamming distance of 0 to 64 bits.
func distances(differ float64) [][]float64 {
	table := make([][]float64, 65)
	for n := range table {
		table[n] = distribution(n, differ)
	}
	return table
}

// distribution returns, for each k, the probability that at most k of n bits differ if each bit
// differs with probability differ.
func distribution(n int, differ float64) []float64 { return binomial.AtMost(n, differ) }

// costsOf returns the costs of buckets for the tables of a plan.
func (p *Plan) costsOf() costs {
	screens, windows := 0, 0
	for i := range p.tables {
		screens, windows = max(screens, p.tables[i].screens), max(windows, p.tables[i].windows)
	}
	return costs{1 / (1 - p.met.differ), costOfScreening + p.hits(0, screens, windows), windows + 1}
}

// hits returns the cost of the pairs that pass the screens, per pair of entries whose keys differ
// in errors bits.
func (p *Plan) hits(errors, screens, windows int) float64 {
	width := windowBits(p.Bits)
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

// bucket returns the cost of finding the pairs in a bucket of n entries with the given number of
// free bits, and the width of the blocks by which to cut it further; 0 means to compare all pairs.
func (c costs) bucket(n float64, free int) (cost float64, cut int) {
	cost = c.all(n)
	if cost <= n*float64(c.cut)*costOfSorting {
		return cost, 0 // the common case, without further arithmetic
	}
	m := min(free/c.cut, bits.Len(uint(n))-inBucket, mostSecond)
	if m < 1 {
		return cost, 0
	}
	buckets := math.Pow(c.apart, float64(m))
	each := c.all(n / buckets)
	if n/buckets > 1<<(inBucket+1) {
		each, _ = c.bucket(n/buckets, free-m) // these buckets may be cut further
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
		t := &p.tables[i]
		if last := &p.tables[max(i-1, 0)]; i == 0 || t.errors != last.errors || t.screens != last.screens || t.windows != last.windows {
			each = p.tableCost(t)
		}
		cost += each
	}
	return cost
}

func (p *Plan) tableCost(t *table) float64 {
	n, d, ways := float64(p.Fingerprints), p.KeyBits, 1.0
	buckets := math.Exp2(float64(d))
	cost := 0.0
	if agree := n * p.met.shares[0]; agree > 0 { // number of entries that agree with one
		cost, _ = p.costs.bucket(agree, windowBits(p.Bits)-d)
		cost *= n / agree
	}
	for errors := 1; errors <= t.errors; errors++ {
		ways *= float64(d-errors+1) / float64(errors)
		cost += ways * buckets / 2 * betweenBuckets(n/buckets)
		cost += n * n / 2 * p.met.shares[errors] * (costOfScreening + p.hits(errors, t.screens, t.windows))
	}
	return n*p.bringingTogether() + cost
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

// betweenBuckets returns the cost of comparing two buckets of n entries, without that of the pairs.
func betweenBuckets(n float64) float64 {
	return costOfBuckets + ((n+idleRows)*(n+idleColumns)-n*n)*costOfScreening
}

// scan returns the cost of comparing the given number of pairs in memory.
func scan(pairs float64, width int) float64 {
	return pairs * costOfScanning * float64((width+63)/64)
}

// spread describes the distances of all pairs of fingerprints. Unrelated texts share frequent
// words, and in scripts without spaces most characters, so their fingerprints are nearer than
// random ones. Then many more pairs agree in a key, and longer keys are better.
type spread struct {
	shares []float64    // by distance: share of the pairs
	keys   map[int]*met // by number of bits of a key
}

// met describes the pairs whose keys have a number of bits.
type met struct {
	shares []float64 // by number of differing bits of the keys, up to mostErrors: share of all pairs
	differ float64   // probability that another bit differs in pairs whose keys agree
	atMost func(n int) []float64
}

// alike is the probability that a bit differs in a pair of unrelated texts, if they are not
// sampled.
const alike = 0.45

// assumedSpread is the spread of fingerprints whose bits differ with probability differ.
func assumedSpread(width int, differ float64) *spread {
	shares := distribution(width, differ)
	for d := width; d > 0; d-- {
		shares[d] -= shares[d-1]
	}
	return &spread{shares: shares, keys: map[int]*met{}}
}

// rowsOfSpread is the number of fingerprints whose distances are measured.
const rowsOfSpread = 1 << 10

// measuredSpread returns the spread of the join's fingerprints, by a sample of them.
func (j *Join) measuredSpread() *spread {
	s := &spread{shares: make([]float64, j.Set.Bits+1), keys: map[int]*met{}}
	r := rand.New(rand.NewPCG(j.Seed, seedOfSpread))
	rows := make([][]uint64, min(j.Set.Len(), rowsOfSpread))
	for i := range rows {
		rows[i] = j.Set.At(r.IntN(j.Set.Len()))
	}
	pairs := float64(len(rows)*(len(rows)-1)) / 2
	for i, row := range rows {
		for _, other := range rows[:i] {
			if distance := fphash.Distance(row, other); distance > 0 { // copies are joined before
				s.shares[distance] += 1 / pairs
			}
		}
	}
	return s
}

// met returns what is known of the pairs whose keys have the given number of bits.
func (s *spread) met(keyBits int) *met {
	if m := s.keys[keyBits]; m != nil {
		return m
	}
	width, m := len(s.shares)-1, &met{differ: 0.5}
	for errors := range mostErrors + 1 {
		share := 0.0
		for distance, of := range s.shares {
			share += of * chance(width, distance, keyBits, errors)
		}
		m.shares = append(m.shares, share)
	}
	agreeing := make([]float64, width+1) // by distance: share of the pairs that agree
	ones := 0.0
	for distance, of := range s.shares {
		if m.shares[0] > 0 {
			agreeing[distance] = of * chance(width, distance, keyBits, 0) / m.shares[0]
			ones += agreeing[distance] * float64(distance)
		}
	}
	if m.shares[0] > 0 && width > keyBits {
		m.differ = ones / float64(width-keyBits)
	}
	known := map[int][]float64{}
	m.atMost = func(n int) []float64 {
		if known[n] == nil {
			known[n] = atMostOf(agreeing, width-keyBits, n)
		}
		return known[n]
	}
	s.keys[keyBits] = m
	return m
}

// atMostOf returns, for each k, the probability that at most k of n bits differ in pairs whose
// distances have the given shares, if any of width bits may differ.
func atMostOf(shares []float64, width, n int) []float64 {
	atMost := make([]float64, n+1)
	sum := 0.0
	for k := range atMost {
		for distance, of := range shares {
			if of > 0 {
				sum += of * chance(width, distance, min(n, width), k)
			}
		}
		atMost[k] = min(sum, 1)
	}
	return atMost
}

// metAtRandom is met for random fingerprints.
func metAtRandom(keyBits int) *met {
	m, before := &met{differ: 0.5, atMost: func(n int) []float64 { return randomDistances()[n] }}, 0.0
	for errors := range mostErrors + 1 {
		upTo := binomial.Ball(keyBits, errors) * math.Exp2(-float64(keyBits))
		m.shares, before = append(m.shares, upTo-before), upTo
	}
	return m
}
