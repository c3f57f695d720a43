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
	Projection  = "Projection"  // hyperplanes that are stored, or computed by hashing

	Build         = "Build"         // fingerprints in, a structure for queries out
	Query         = "Query"         // one fingerprint against a structure
	AllPairs      = "Pairs"         // unsorted fingerprints in, all near-duplicates among them out
	Groups        = "Groups"        // the same, with the groups that they form out
	MemoryLatency = "MemoryLatency" // reads of which each waits for the one before

	Corpus = "Corpus" // files of n documents in, what to keep of them out, stage by stage
	Road   = "Road"   // the same by other roads; see results/measure/scale
	Batch  = "Batch"  // many queries against n fingerprints at once

	BlockSearch = "BlockSearch" // n fingerprints with the same key in, pairs out
)

// What is computed rather than timed: the first part of a benchmark's name.
const (
	// Quality is how many ideal bits the hash's are worth, and what is wrong with them; see package
	// quality.
	Quality = "Quality"
	// CorpusFound is which of the near-duplicates that were planted in a corpus are found.
	CorpusFound = "CorpusFound"
	// Texts is how well near-duplicates among texts are found, at the best thresholds; TextsByK at
	// each k, and TextsGrown in a collection of more and more documents. See results/measure/texts.
	Texts      = "Texts"
	TextsByK   = "TextsByK"
	TextsGrown = "TextsGrown"
	// Cycles is what a kernel takes by a model of a processor. See results/measure/cycles.
	Cycles = "Cycles"
)

// Structures that find near-duplicates.
const (
	Scan     = "scan"     // all fingerprints are compared with the query
	Postings = "postings" // a list for each bit
	Ball     = "ball"     // everything within k is asked for
	Blocks   = "blocks"   // those that share one of k+1 parts are compared
	Auto     = "auto"     // whichever is forecast to be the fastest
)

// Indexes are all structures, in the order of tables: the scan first, which the others are compared
// with.
var Indexes = []string{Scan, "split", Postings, Ball, Blocks, "manku4", "manku10", "manku16", "manku20", Auto}

// Skewed is the pattern of fingerprints half of which lie in few groups.
const Skewed = "skewed"

// Kernels that are no tiers.
const (
	Naive   = "naive"   // the loop that everyone copies
	Library = "library" // the hash library's own call, one key at a time
)
