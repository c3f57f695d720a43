package join

import (
	"math"
	"math/bits"
)

// Costs in nanoseconds, on one core of a Xeon of 2023 with AVX-512; only their ratios decide.
const (
	costOfSorting   = 8    // of a fingerprint, into partitions or buckets
	costOfScreening = 0.05 // of a pair, by 32 bits
	costOfWindows   = 0.2  // of a pair, by 64 bits
	costOfScanning  = 0.1  // of a pair, for each word
	costOfHit       = 4    // of a pair that the comparison lets pass
	costOfFetching  = 80   // of the words of such a pair, where they are more than one
)

// costs are what one join pays.
type costs struct {
	pair   float64 // compared in a bucket
	blocks int
}

// costsOf decides by how many bits pairs are compared in buckets: by 32, unless too many strangers
// pass.
func costsOf(width, k int) (c costs, screened bool) {
	hit := func(width int) float64 {
		if width > 64 {
			return costOfHit + costOfFetching
		}
		return costOfHit
	}(width)
	screens := costOfScreening + within(min(32, width), k)*(costOfHit+within(max(0, min(64, width)-32), k)*(hit-costOfHit))
	windows := costOfWindows + within(min(64, width)*3/4, k)*hit
	c = costs{pair: min(screens, windows), blocks: min(k+1, width)}
	return c, screens <= windows
}

// within returns the probability that random fingerprints of n bits differ in at most k.
func within(n, k int) float64 {
	sum, choose := 0.0, math.Exp2(float64(-n))
	for i := 0; i <= min(k, n); i++ {
		sum += choose
		choose *= float64(n-i) / float64(i+1)
	}
	return min(sum, 1)
}

// all returns the cost of comparing all of a bucket with all.
func (c costs) all(n float64) float64 { return n * n / 2 * c.pair }

// bucket returns the cost of finding the pairs in a bucket of n that have that many free bits, and
// by how many bits it is to be cut again, by each block in turn; 0 if all are compared with all.
func (c costs) bucket(n float64, free int) (cost float64, cut int) {
	cost = c.all(n)
	if cost <= n*float64(c.blocks)*costOfSorting {
		return cost, 0 // as for nearly all, with no more arithmetic
	}
	m := min(free/c.blocks, bits.Len(uint(n))-inBucket, mostSecond)
	if m < 1 {
		return cost, 0
	}
	buckets := math.Exp2(float64(m))
	each := c.all(n / buckets)
	if n/buckets > 1<<(inBucket+1) {
		each, _ = c.bucket(n/buckets, free-m) // it may pay to cut these once more
	}
	if again := float64(c.blocks) * (n*costOfSorting + buckets*each); again < cost {
		return again, m
	}
	return cost, 0
}

// join returns the cost of a join of n fingerprints by keys of d bits.
func (c costs) join(n float64, width, d int) float64 {
	buckets := math.Exp2(float64(d))
	each, _ := c.bucket(n/buckets, min(width, 64)-d)
	return float64(c.blocks) * (2*n*costOfSorting + buckets*each)
}

// scan returns the cost of comparing that many pairs, in memory.
func scan(pairs float64, width int) float64 {
	return pairs * costOfScanning * float64((width+63)/64)
}
