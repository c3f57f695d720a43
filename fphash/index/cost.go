package index

// costs are what the steps of queries take: what structures are chosen by, on every machine alike.
// A forecast multiplies them by the pace of the machine.
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

// scanCost returns how long it takes to compare a query with all fingerprints of a set.
func (c *costs) scanCost(set *Set) float64 {
	n, w := float64(set.Len()), float64(set.Stride())
	switch {
	case set.Masks != nil:
		return c.query + n*(c.unsureEntry+w*c.perWord)
	case w > 1 && n*w*8 < cacheBytes:
		return c.query + n*w*c.scanWide
	case n*w*8 < cacheBytes:
		return c.query + n*w*c.scanWarm
	}
	return c.query + n*w*c.scanWord
}

// probeCost returns how long it takes to ask for a bucket of a structure of so many bytes.
func (c *costs) probeCost(bytes int64) float64 {
	switch {
	case bytes < cacheBytes:
		return c.warm
	case bytes < sharedBytes:
		return c.probe
	}
	return c.far
}
