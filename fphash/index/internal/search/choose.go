package search

import (
	"math/bits"
	"slices"
)

// These costs determine the choice of the design. They are the same on every machine: approximate
// nanoseconds on one core of an AMD EPYC (Zen 5) with AVX-512 that shares its caches and memory
// with busy cores. Only their ratios matter. Package join has its own costs.
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
)

// cacheBytes is the size of a core's own cache, sharedBytes of the cache that cores share.
const (
	cacheBytes  = 2 << 20
	sharedBytes = 16 << 20
)

const (
	mostErrors = 3   // maximum number of bits in which keys may differ
	mostTables = 100 // maximum number of tables
)

// choose returns the design whose queries are expected to be the fastest, if they are similar to
// the stored fingerprints. For each design that may be cheaper than a scan, it examines a sample,
// which takes tens of milliseconds in total. The choice is the same on every machine.
func choose(set Fingerprints, k int) (best Design) {
	least := scanCost(set)
	for errors := range mostErrors + 1 {
		d := Design{Blocks: k/(errors+1) + 1, Errors: errors}
		if k/d.Blocks != errors || d.Blocks > mostTables || !d.Fits(set.Bits) { // if k/d.Blocks is less, fewer errors are enough
			continue
		}
		if cost := tablesCost(set, d, k, least); cost < least {
			best, least = d, cost
		}
	}
	return best
}

// scanCost returns the cost of comparing a query with all fingerprints of a set.
func scanCost(set Fingerprints) float64 {
	n, w := float64(set.len()), float64(set.stride())
	switch {
	case n*w*8 >= cacheBytes:
		return costOfQuery + n*w*costOfWord
	case w > 1:
		return costOfQuery + n*w*costOfWideWord
	}
	return costOfQuery + n*costOfNearWord
}

// tablesCost returns the cost of looking up the buckets of a query, comparing their screens, and
// verifying the fingerprints that pass; or limit, if that is exceeded by the lookups alone or if
// there are too many.
func tablesCost(set Fingerprints, d Design, k int, limit float64) float64 {
	s := Structure{set: set, design: d, tables: newTables(set, d)}
	buckets := s.probes(len(s.tables), d.Errors)
	if buckets > mostProbes || costOfQuery+buckets*costOfNear > limit {
		return limit
	}
	bucket := float64(costOfFar)
	switch bytes := s.Bytes(); {
	case bytes < cacheBytes:
		bucket = costOfNear
	case bytes < sharedBytes:
		bucket = costOfShared
	}
	share, passes := s.sample(k)
	compared := buckets * float64(set.len()) * share
	return costOfQuery + buckets*bucket + compared*(costOfScreen+passes*costOfPassing)
}

const (
	sampled       = 1 << 13 // number of fingerprints in a sample
	sampledTables = 4       // number of tables that it examines
	mostCompared  = 64      // of a bucket; enough to distinguish copies from unrelated fingerprints
)

// sample returns the average share of all fingerprints that are in the same bucket as a given one,
// and the share of these that pass the screen.
func (s *Structure) sample(k int) (share, passes float64) {
	var pairs, same, compared, passed, expected, used float64
	n := min(s.set.len(), sampled)
	entries := make([]uint64, n) // bucket and screen
	for i := 0; i < len(s.tables); i += (len(s.tables) + sampledTables - 1) / sampledTables {
		t := &s.tables[i]
		for j := range entries {
			x := t.window(s.set.at(int(int64(j) * int64(s.set.len()) / int64(n))))
			entries[j] = x>>t.shift<<32 | x&(1<<32-1)
		}
		slices.Sort(entries)
		for from := 0; from < n; {
			to := from + 1
			for to < n && entries[to]>>32 == entries[from]>>32 {
				to++
			}
			same += float64(to-from) * float64(to-from-1) / 2
			step := max(1, (to-from)/mostCompared)
			for a := from; a < to; a += step {
				for b := a + step; b < to; b += step {
					compared++
					if bits.OnesCount32(uint32(entries[a]^entries[b])) <= k {
						passed++
					}
				}
			}
			from = to
		}
		pairs += float64(n) * float64(n-1) / 2
		expected += 1 / float64(t.buckets())
		used++
	}
	if share = expected / used; same > 0 {
		share = same / pairs
	}
	return share, passed / max(compared, 1)
}
