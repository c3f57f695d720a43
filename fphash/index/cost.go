package index

// costs are what the steps of queries take, in nanoseconds. They are measured, and what is forecast
// by them holds for machines that are not much faster or slower at one step than at the others.
type costs struct {
	machine string

	query     float64 // what every query takes
	probe     float64 // to find a bucket and wait for its first line, while others are waited for
	warm      float64 // the same where the whole structure is in the cache
	screen    float64 // to compare one screen of a bucket
	verify    float64 // to look at a fingerprint that passes
	neighbour float64 // to ask a hash set

	scanWord, scanWarm   float64 // a word of a fingerprint, from memory and from the cache
	splitEntry           float64 // a fingerprint in parts, from memory
	scanWide             float64 // a word of a fingerprint of several, from the cache
	postingsEntry        float64 // a fingerprint in lists, from memory
	postingsBit          float64 // the same for each bit of the distance, which later lists are read for
	unsureEntry, perWord float64 // a fingerprint that has unsure bits, and each word of it
}

// cacheBytes is how much of a structure stays near the processor.
const cacheBytes = 2 << 20

// measured are the costs on the machine that is named.
var measured = costs{
	machine: "Xeon, Sapphire Rapids, 2 of its processors, kept busy by others",

	query: 60, probe: 115, warm: 65, screen: 1.2, verify: 150, neighbour: 250,
	scanWord: 1, scanWarm: 0.11, scanWide: 0.38, splitEntry: 0.6,
	postingsEntry: 0.3, postingsBit: 0.05,
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
	if bytes < cacheBytes {
		return c.warm
	}
	return c.probe
}
