package index

// costs are what the steps of queries take: what structures are chosen by, on every machine alike.
// A forecast multiplies them by the pace of the machine that it is for.
type costs struct {
	query  float64 // what every query takes
	far    float64 // to find a bucket and wait for its first line, while others are waited for
	probe  float64 // the same where the whole structure is in a cache that cores share
	warm   float64 // the same where it is in the core's own
	screen float64 // to compare one screen of a bucket
	verify float64 // to look at a fingerprint that passes

	scanWord, scanWarm   float64 // a word of a fingerprint, from memory and from the cache
	splitEntry           float64 // a fingerprint in parts, from memory
	scanWide             float64 // a word of a fingerprint of several, from the cache
	postingsEntry        float64 // a fingerprint in lists, from memory
	postingsBit          float64 // the same for each bit of the distance, which later lists are read for
	unsureEntry, perWord float64 // a fingerprint that has unsure bits, and each word of it
}

// How much of a structure stays near the core, and how much in the cache that cores share.
const (
	cacheBytes  = 2 << 20
	sharedBytes = 16 << 20
)

// measured are the costs in nanoseconds on one core of an AMD EPYC (Zen 5) with AVX-512, kept busy
// by others: the machine of the costs of joins.
var measured = costs{
	query: 60, far: 300, probe: 150, warm: 65, screen: 0.6, verify: 150,
	scanWord: 0.13, scanWarm: 0.055, scanWide: 0.19, splitEntry: 0.07,
	postingsEntry: 0.06, postingsBit: 0.01,
	unsureEntry: 2, perWord: 1.5,
}

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
func (c *costs) scanWork(set *Set) work {
	n, w := float64(set.Len()), float64(set.Stride())
	switch {
	case set.Masks != nil:
		return work{near: c.query + n*(c.unsureEntry+w*c.perWord)}
	case n*w*8 >= cacheBytes:
		return work{near: c.query, stream: n * w * c.scanWord}
	case w > 1:
		return work{near: c.query + n*w*c.scanWide}
	}
	return work{near: c.query + n*c.scanWarm}
}

// streamWork returns what it takes to pass over bytes that lie in memory or in the cache.
func (c *costs) streamWork(bytes int64, cost float64) work {
	if bytes < cacheBytes {
		return work{near: c.query + cost}
	}
	return work{near: c.query, stream: cost}
}

// tablesWork returns what it takes to ask for some buckets of tables of so many bytes, to compare
// what they hold, and to verify what passes.
func (c *costs) tablesWork(bytes int64, buckets, compared, passing float64) work {
	w := work{near: c.query + compared*c.screen + passing*c.verify}
	switch {
	case bytes < cacheBytes:
		w.near += buckets * c.warm
	case bytes < sharedBytes:
		w.near += buckets * c.probe
	default:
		w.far = buckets * c.far
	}
	return w
}
