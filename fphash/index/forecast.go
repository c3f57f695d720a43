package index

import (
	"fmt"

	"simhashkit/internal/binomial"
)

// Costs by which a structure is chosen, the same on every machine: they are about nanoseconds on
// one core of an AMD EPYC (Zen 5) with AVX-512 that shares its caches and memory with busy cores.
// Only their ratios matter. Joins have costs of their own.
const (
	costOfQuery   = 60  // of every query
	costOfFar     = 300 // of finding a bucket and waiting for a line of it, as for others meanwhile
	costOfShared  = 150 // of the same where the whole structure is in a cache that cores share
	costOfNear    = 65  // of the same where it is in the core's own
	costOfScreen  = 0.6 // of comparing one screen of a bucket
	costOfPassing = 150 // of looking at a fingerprint that passes

	costOfWord     = 0.13  // of a word of a fingerprint, from memory
	costOfNearWord = 0.055 // of the same from the cache
	costOfWideWord = 0.19  // of the same of fingerprints of several words
	costOfParts    = 0.07  // of a fingerprint in parts, from memory
	costOfLists    = 0.06  // of a fingerprint in lists, from memory
	costOfListsBit = 0.01  // of the same for each bit of the distance: more lists are read
)

// How much of a structure stays near the core, and how much in the cache that cores share.
const (
	cacheBytes  = 2 << 20
	sharedBytes = 16 << 20
)

// scanCost returns the cost of comparing a query with all fingerprints of a set.
func scanCost(set *Set) float64 {
	n, w := float64(set.Len()), float64(set.Stride())
	switch {
	case n*w*8 >= cacheBytes:
		return costOfQuery + n*w*costOfWord
	case w > 1:
		return costOfQuery + n*w*costOfWideWord
	}
	return costOfQuery + n*costOfNearWord
}

// tablesCost returns the cost of looking up some buckets of tables of so many bytes, comparing what
// they hold, and verifying what passes.
func tablesCost(bytes int64, buckets, compared, passing float64) float64 {
	bucket := float64(costOfFar)
	switch {
	case bytes < cacheBytes:
		bucket = costOfNear
	case bytes < sharedBytes:
		bucket = costOfShared
	}
	return costOfQuery + buckets*bucket + compared*costOfScreen + passing*costOfPassing
}

// designsFor returns the designs that are worth a look for distances up to k.
func designsFor(k int) (list []Design) {
	list = append(list, pigeonhole(k), Design{Blocks: k + 2, Choose: 2}, Design{Blocks: k + 3, Choose: 3})
	list = append(list, Design{Blocks: k + 1, Choose: 1, Rest: k + 1})
	for errors := 1; errors <= 3; errors++ {
		if blocks := k/(errors+1) + 1; k/blocks == errors { // fewer errors do, else, with as many blocks
			list = append(list, Design{Blocks: blocks, Choose: 1, Errors: errors})
		}
	}
	return list
}

// nameOf returns the name of a design: that of the literature if it has one.
func nameOf(d Design, k int) string {
	if d == pigeonhole(k) {
		return "blocks"
	}
	for name, preset := range presets {
		if d == preset {
			return name
		}
	}
	return d.String()
}

// forecastScans forecasts structures that look at every fingerprint.
func forecastScans(set *Set, k int) []Forecast {
	n := float64(set.Len())
	scan := Forecast{Name: "scan", Compared: n, Skew: 1, cost: scanCost(set)}
	split := Forecast{Name: "split", Compared: n, Skew: 1, Bytes: 8 * int64(set.Len())}
	split.cost = costOfQuery + n*costOfParts
	postings := Forecast{Name: "postings", Compared: n, Skew: 1, Bytes: postingsBytes(set)}
	postings.cost = costOfQuery + n*(costOfLists+float64(k)*costOfListsBit)
	switch {
	case set.Bits%64 != 0 || set.Bits > 256:
		postings.Excluded = "for 64, 128, 192 and 256 bits only"
	case 4*k > set.Bits:
		postings.Excluded = "no faster than a scan so far out"
	}
	switch {
	case set.Bits != 64:
		split.Excluded = "for 64 bits only"
	case k > splitMaxK:
		split.Excluded = fmt.Sprintf("no faster than a scan from k = %d on", splitMaxK+1)
	case n*8 < cacheBytes:
		split.cost = scan.cost
	}
	return []Forecast{scan, split, postings}
}

// bytesOf returns what tables of a design, which must fit the set, need.
func bytesOf(set *Set, d Design) int64 {
	t, _ := planTables("", set, d)
	return t.Bytes()
}

// mostForecastTables is the number of tables from which on a design is not looked at.
const mostForecastTables = 100

// forecastTables forecasts permuted tables. A design that does not fit the fingerprints has no
// buckets. The set is not sampled for a design that cannot be chosen: looking up its buckets alone
// costs more than the limit, or there are too many of them.
func forecastTables(set *Set, d Design, k int, limit float64) Forecast {
	f := Forecast{Name: nameOf(d, k), Design: d}
	if d.check(set.Bits) != nil || d.tables() > mostForecastTables || d.MaxK() < k {
		return f
	}
	reach, errors := d.reach(k)
	width := min(directoryBits(set.Len()), set.Bits/d.Blocks*d.Choose)
	f.Buckets = float64(reach) * binomial.Ball(width, errors)
	switch {
	case f.Buckets > mostProbes:
		f.Excluded = fmt.Sprintf("%.0f buckets a query, more than %d", f.Buckets, mostProbes)
	case costOfQuery+f.Buckets*costOfNear > limit:
		f.Excluded = "slower than a scan at best"
	}
	like, n := likeness{}, float64(set.Len())
	if f.Excluded == "" {
		like = set.like(d, k)
	}
	f.Bytes = bytesOf(set, d)
	f.Skew, f.Compared = like.skew, f.Buckets*n*like.share
	f.cost = tablesCost(f.Bytes, f.Buckets, f.Compared, f.Compared*like.passes)
	return f
}
