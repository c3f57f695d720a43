// Package terms names the benchmarks, units, kernels and verdicts of the benchmark kit's result
// files. It imports nothing, so what shows or judges a figure need not import what measures it.
package terms

// What is timed: the first part of a benchmark's name.
const (
	Hash        = "Hash"        // keys in, codes out
	Accumulate  = "Accumulate"  // codes and weights in, fingerprint out
	Sketch      = "Sketch"      // indices and weights in, fingerprint out
	HammingScan = "HammingScan" // one query against n fingerprints
	MemoryRead  = "MemoryRead"  // reading n fingerprints and nothing else: what bounds HammingScan
	Projection  = "Projection"  // stored hyperplanes; by results/measure/projections

	Build         = "Build"         // fingerprints in, a structure for queries out
	Query         = "Query"         // one fingerprint against a structure
	AllPairs      = "Pairs"         // unsorted fingerprints in, all near-duplicates among them out
	Groups        = "Groups"        // the same, with the groups that they form out
	MemoryLatency = "MemoryLatency" // reads of which each waits for the one before

	Corpus = "Corpus" // files of n documents in, what to keep of them out, stage by stage
)

// Quality is the first part of the names of what is computed rather than timed: how many ideal bits
// the hash's are worth, and what is wrong with them; see package quality.
const Quality = "Quality"

// Structures that find near-duplicates.
const (
	Scan     = "scan"     // all fingerprints are compared with the query
	Postings = "postings" // a list for each bit
	Blocks   = "blocks"   // those that share one of k+1 parts are compared
	Auto     = "auto"     // whichever is forecast to be the fastest
)

// Indexes are all structures, in the order of tables: the scan first, which the others are compared
// with.
var Indexes = []string{Scan, "split", Postings, Blocks, "manku4", "manku10", "manku16", "manku20", Auto}

// Skewed is the pattern of fingerprints half of which lie in few groups.
const Skewed = "skewed"

// Kernels that are no tiers.
const (
	Naive   = "naive"   // the loop that everyone copies
	Library = "library" // the hash library's own call, one key at a time
)
