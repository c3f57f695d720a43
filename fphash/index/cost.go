package index

// Costs that structures are chosen by, on every machine alike: nanoseconds on one core of an AMD
// EPYC (Zen 5) with AVX-512, kept busy by others, which a forecast multiplies by the pace of the
// machine that it is for. It is the machine of the costs of joins.
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

// work is what a query takes on the machine of the costs, in nanoseconds, by what bounds it.
type work struct {
	near   float64 // the core, and the caches
	far    float64 // memory here and there, where several lines are waited for at a time
	stream float64 // memory from beginning to end
}

// reference is the pace of the machine of the costs.
var reference = work{1, 1, 1}

// at returns how long the work takes where each kind of it takes so many times as long.
func (w work) at(pace work) float64 {
	return w.near*pace.near + w.far*pace.far + w.stream*pace.stream
}

// scanWork returns what it takes to compare a query with all fingerprints of a set.
func scanWork(set *Set) work {
	n, w := float64(set.Len()), float64(set.Stride())
	switch {
	case n*w*8 >= cacheBytes:
		return work{near: costOfQuery, stream: n * w * costOfWord}
	case w > 1:
		return work{near: costOfQuery + n*w*costOfWideWord}
	}
	return work{near: costOfQuery + n*costOfNearWord}
}

// streamWork returns what it takes to pass over bytes that lie in memory or in the cache.
func streamWork(bytes int64, cost float64) work {
	if bytes < cacheBytes {
		return work{near: costOfQuery + cost}
	}
	return work{near: costOfQuery, stream: cost}
}

// tablesWork returns what it takes to ask for some buckets of tables of so many bytes, to compare
// what they hold, and to verify what passes.
func tablesWork(bytes int64, buckets, compared, passing float64) work {
	w := work{near: costOfQuery + compared*costOfScreen + passing*costOfPassing}
	switch {
	case bytes < cacheBytes:
		w.near += buckets * costOfNear
	case bytes < sharedBytes:
		w.near += buckets * costOfShared
	default:
		w.far = buckets * costOfFar
	}
	return w
}
