package index

import (
	"cmp"
	"math/bits"
	"slices"

	"simhashkit/internal/binomial"
)

// forecast is the expected cost of a query of a structure, if queries are similar to the stored
// fingerprints.
type forecast struct {
	name     string
	design   Design  // zero unless the structure is tables
	bytes    int64   // bytes of memory in addition to the set
	compared float64 // number of fingerprints in tables that a query is compared with
	cost     float64
}

// worthBytes is the cost limit, relative to the cheapest structure, for a structure that needs less
// memory.
const worthBytes = 1.1

// choose returns the structure to build for a set: among those that cost at most a tenth more than
// the cheapest, the one that needs the least memory. The choice is the same on every machine.
func choose(set *Set, o Options) forecast {
	list := forecasts(set, o)
	best := list[0]
	for _, f := range list {
		if f.cost <= worthBytes*list[0].cost && f.bytes < best.bytes {
			best = f
		}
	}
	return best
}

// build builds the forecast structure.
func (f forecast) build(set *Set, o Options) (Structure, error) {
	if f.design != (Design{}) {
		return newTables(f.name, set, f.design, o.workers())
	}
	o.Structure = f.name
	return build(set, o)
}

// forecasts returns the forecasts of all structures that the options allow, the cheapest first. For
// each design that may be cheaper than a scan, it examines a sample of the set, which takes tens of
// milliseconds in total.
func forecasts(set *Set, o Options) []forecast {
	list := forecastScans(set, o)
	for _, d := range designsFor(o.K) {
		if f, ok := forecastTables(set, d, o.K, scanCost(set)); ok {
			list = append(list, f)
		}
	}
	if o.Memory > 0 {
		list = slices.DeleteFunc(list, func(f forecast) bool { return f.bytes > o.Memory })
	}
	slices.SortStableFunc(list, func(a, b forecast) int { return cmp.Compare(a.cost, b.cost) })
	return list
}

// These costs determine the choice of the structure. They are the same on every machine:
// approximate nanoseconds on one core of an AMD EPYC (Zen 5) with AVX-512 that shares its caches
// and memory with busy cores. Only their ratios matter. Package join has its own costs.
const (
	costOfQuery   = 60  // per query
	costOfFar     = 300 // finding a bucket and waiting for its cache line, with busy memory
	costOfShared  = 150 // the same if the whole structure is in a cache that cores share
	costOfNear    = 65  // the same if the whole structure is in the core's own cache
	costOfScreen  = 0.6 // comparing one screen of a bucket
	costOfPassing = 150 // examining a fingerprint that passes

	costOfWord     = 0.13  // per word of a fingerprint, from memory
	costOfNearWord = 0.055 // per word from the cache
	costOfWideWord = 0.19  // per word from the cache, for fingerprints of several words
	costOfParts    = 0.07  // per fingerprint in parts, from memory
)

// cacheBytes is the size of a core's own cache, sharedBytes of the cache that cores share.
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

// tablesCost returns the cost of looking up the given number of buckets in tables of the given
// size, comparing their fingerprints, and verifying those that pass.
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

// designsFor returns the designs worth considering for distances up to k.
func designsFor(k int) (list []Design) {
	list = append(list, pigeonhole(k), Design{Blocks: k + 2, Choose: 2}, Design{Blocks: k + 3, Choose: 3})
	list = append(list, Design{Blocks: k + 1, Choose: 1, Rest: k + 1})
	for errors := 1; errors <= 3; errors++ {
		if blocks := k/(errors+1) + 1; k/blocks == errors { // else fewer errors are enough
			list = append(list, Design{Blocks: blocks, Choose: 1, Errors: errors})
		}
	}
	return list
}

// nameOf returns the name of a design, from the literature if possible.
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

// forecastScans forecasts the structures that compare every fingerprint. For a file, only a plain
// scan is possible.
func forecastScans(set *Set, o Options) []forecast {
	n := float64(set.Len())
	list := []forecast{{name: "scan", cost: scanCost(set)}}
	if o.inFile {
		return list
	}
	if set.Bits == 64 && o.K <= splitMaxK {
		split := forecast{name: "split", bytes: 8 * int64(set.Len()), cost: costOfQuery + n*costOfParts}
		if n*8 < cacheBytes {
			split.cost = scanCost(set)
		}
		list = append(list, split)
	}
	return list
}

// bytesOf returns the memory that the tables of a design need. The design must fit the set.
func bytesOf(set *Set, d Design) int64 {
	t, _ := planTables("", set, d)
	return t.Bytes()
}

// mostForecastTables is the maximum number of tables of a forecast design.
const mostForecastTables = 100

// forecastTables forecasts permuted tables. It returns false for a design that does not fit the
// fingerprints, has too many tables or buckets, or costs more than limit for bucket lookups alone.
func forecastTables(set *Set, d Design, k int, limit float64) (f forecast, ok bool) {
	if d.check(set.Bits) != nil || d.tables() > mostForecastTables || d.MaxK() < k {
		return f, false
	}
	reach, errors := d.reach(k)
	width := min(directoryBits(set.Len()), set.Bits/d.Blocks*d.Choose)
	buckets := float64(reach) * binomial.Ball(width, errors)
	if buckets > mostProbes || costOfQuery+buckets*costOfNear > limit {
		return f, false
	}
	share, passes := set.like(d, k)
	f = forecast{name: nameOf(d, k), design: d, bytes: bytesOf(set, d), compared: buckets * float64(set.Len()) * share}
	f.cost = tablesCost(f.bytes, buckets, f.compared, f.compared*passes)
	return f, true
}

// sampled is the number of fingerprints in the sample for a forecast, and sampledTables the number
// of tables.
const (
	sampled       = 1 << 13
	sampledTables = 4
)

// like samples how much the fingerprints of a set agree in the keys of a design. It returns the
// average share of all fingerprints that are in the same bucket as a given one, and the share of
// these that pass the screen. Queries are similar to stored fingerprints, so the shares also apply
// to queries.
func (s *Set) like(d Design, k int) (share, passes float64) {
	keys := d.keys(s.Bits)
	step := (len(keys) + sampledTables - 1) / sampledTables
	var pairs, same, compared, passed, expected float64
	n := min(s.Len(), sampled)
	entries, used := make([]uint64, n), 0.0
	for i := 0; i < len(keys); i += step {
		t := newTable(keys[i], s)
		for j := range entries {
			entries[j] = s.sample(&t, j, n)
		}
		slices.Sort(entries)
		a, b, c := pairsIn(entries, k)
		pairs, same, compared, passed = pairs+float64(n)*float64(n-1)/2, same+a, compared+b, passed+c
		expected += 1 / float64(uint64(1)<<(t.window.width-t.shift))
		used++
	}
	share = expected / used
	if pairs > 0 && same > 0 {
		share = same / pairs
	}
	if compared > 0 {
		passes = passed / compared
	}
	return share, passes
}

// sample returns the bucket of fingerprint j of n that are spread evenly over the set, with its
// screen in the lower bits.
func (s *Set) sample(t *table, j, n int) uint64 {
	x := t.window.of(s.At(int(int64(j) * int64(s.Len()) / int64(n))))
	return x>>t.shift<<32 | x&(1<<32-1)
}

// mostNear is the number of fingerprints of a bucket that are compared with each other. It is
// enough to distinguish copies from unrelated fingerprints.
const mostNear = 64

// pairsIn returns how many pairs of sorted entries are in the same bucket, how many of these it
// compared, and how many of the compared pairs pass the screen.
func pairsIn(entries []uint64, k int) (same, compared, passed float64) {
	for from := 0; from < len(entries); {
		to := from + 1
		for to < len(entries) && entries[to]>>32 == entries[from]>>32 {
			to++
		}
		n := float64(to - from)
		same += n * (n - 1) / 2
		step := max(1, (to-from)/mostNear)
		for i := from; i < to; i += step {
			for j := i + step; j < to; j += step {
				compared++
				if bits.OnesCount32(uint32(entries[i]^entries[j])) <= k {
					passed++
				}
			}
		}
		from = to
	}
	return same, compared, passed
}
