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
)

// Quality is the first part of the names of what is computed rather than timed: how many ideal bits
// the hash's are worth, and what is wrong with them; see package quality.
const Quality = "Quality"

// Kernels that are no tiers.
const (
	Naive   = "naive"   // the loop that everyone copies
	Library = "library" // the hash library's own call, one key at a time
)
