package join

import (
	"math"
	"math/bits"
	"sync"

	"simhashkit/internal/binomial"
)

// The costs that plans are chosen by, the same on every machine: about nanoseconds on one core of
// an AMD EPYC (Zen 5) with AVX-512. Only their ratios matter.
const (
	costOfSorting   = 4     // of a fingerprint, into partitions or buckets
	costOfWindow    = 6     // of taking the window of one of several words
	costOfWord      = 0.6   // of reading each of these
	costOfDrawn     = 14    // of taking a window of drawn bits
	costOfDisk      = 100   // of writing an entry to its partition, and reading it
	costOfCopies    = 60    // of a fingerprint, told from those that equal it
	costOfBuckets   = 22    // of comparing two buckets
	costOfScreening = 0.016 // of a pair, by 32 bits
	costOfScanning  = 0.1   // of a pair, for each word
	costOfHit       = 4     // of a pair that the comparison lets pass
	costOfStop      = 26    // of leaving the vector loop to extract a match
	costOfFetching  = 80    // of the words of such a pair, where they are more than one
	costOfSampling  = 5e6   // of making a plan by drawn bits, or less
)

// The kernels compare vectors of pairs, and need a few more rows and columns than two buckets have.
const (
	together    = 64
	idleRows    = 2
	idleColumns = 8
)

// costs are the costs of one join.
type costs struct {
	compared float64 // share of the pairs of a bucket that are compared
	pair     float64 // compared in a bucket
	cut      int     // blocks that a bucket is cut into, in one of which a pair agrees
}

// unrelatedWithin returns the probability that unrelated fingerprints differ in at most k of up to
// 64 bits. Sampled plans assume that unrelated fingerprints are slightly similar, like those of
// texts that share frequent words: many more of these pass the screens.
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

// distances returns the binomial distributions of up to 64 bits.
func distances(differ float64) [][]float64 {
	table := make([][]float64, 65)
	for n := range table {
		table[n] = make([]float64, n+1)
		binomial.AtMost(table[n], differ)
	}
	return table
}

// costsOf returns the costs of buckets by the tables of a plan.
func (p *Plan) costsOf(compared float64) costs {
	screens, windows := 0, 0
	for i := range p.tables {
		screens, windows = max(screens, p.tables[i].screens), max(windows, p.tables[i].windows)
	}
	return costs{compared, compared * (costOfScreening + p.hits(0, screens, windows)), windows + 1}
}

// hits returns the cost of the pairs that pass the screens, for each pair whose keys differ in that
// many bits.
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

// bucket returns the cost of finding the pairs in a bucket of n with that many free bits, and the
// width of the blocks by which to cut it again; 0 if all pairs are compared.
func (c costs) bucket(n float64, free int) (cost float64, cut int) {
	cost = c.all(n)
	if cost <= n*float64(c.cut)*costOfSorting {
		return cost, 0 // as for nearly all, with no more arithmetic
	}
	m := min(free/c.cut, bits.Len(uint(n))-inBucket, mostSecond)
	if m < 1 {
		return cost, 0
	}
	buckets := math.Exp2(float64(m))
	each := c.all(n / buckets)
	if n/buckets > 1<<(inBucket+1) {
		each, _ = c.bucket(n/buckets, free-m) // it may pay to cut these once more
	}
	if again := float64(c.cut) * (n*costOfSorting + buckets*each); again < cost {
		return again, m
	}
	return cost, 0
}

// distinctCost returns the cost of leaving copies out.
func (p *Plan) distinctCost() float64 {
	if p.joinsDistinct() {
		return float64(p.Fingerprints) * costOfCopies
	}
	return 0
}

// total returns the cost of the plan.
func (p *Plan) total() float64 { return p.tablesCost() + p.distinctCost() }

// tablesCost returns the cost of all tables.
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

// tableCost returns the cost of one table.
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

// betweenBuckets returns the cost of comparing two buckets of n whose keys differ in so many bits.
func (p *Plan) betweenBuckets(n float64, errors int, t *table) float64 {
	pairs := n * n * p.costs.compared
	return costOfBuckets + (n+idleRows)*(n+idleColumns)*costOfScreening + pairs*p.hits(errors, t.screens, t.windows)
}

// scan returns the cost of comparing that many pairs, in memory.
func scan(pairs float64, width int) float64 {
	return pairs * costOfScanning * float64((width+63)/64)
}
