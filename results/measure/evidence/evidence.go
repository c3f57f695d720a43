// Package evidence names the benchmarks and units in the result files of the programs of
// results/measure, in addition to those of bench/terms. It also finds figures by name and unit.
package evidence

import (
	"strings"

	"simhashkit/bench/terms"
)

// The first parts of benchmark names.
const (
	Road        = "Road"        // a method to find the near-duplicates of a corpus; see scale.md
	Batch       = "Batch"       // many queries against n fingerprints at once; see scale.md
	BlockSearch = "BlockSearch" // pairs among n fingerprints with the same key; see scale.md
	CorpusFound = "CorpusFound" // the planted near-duplicates of a corpus that a program finds

	NearDuplicates = "NearDuplicates" // near-duplicates of real texts that are found; see neardup

	Cycles       = "Cycles"       // cycles of a kernel in a model of a processor; see arm64.md
	Instructions = "Instructions" // instructions of the main loop of a kernel; see hashes.md
	MinHash      = "MinHash"      // time of MinHash; see minhash/peers
	Forecast     = "Forecast"     // estimated cost for n fingerprints; see scale.md
)

// Units of times and memory.
const (
	// CPUNanosecondsPerOperation is the time of all processors together.
	CPUNanosecondsPerOperation = "cpu-ns/op"
	PeakBytes                  = "peak-bytes" // maximum memory in use at any time
)

// Units of Cycles.
const (
	CyclesPerFeature     = "cycles/nnz"
	CyclesPerFingerprint = "cycles/fingerprint"
	CyclesPerKey         = "cycles/key"
)

// Units of Instructions.
const (
	InstructionsPerKey    = "instructions/key"
	MultiplicationsPerKey = "multiplications/key" // multiplications among the instructions
	Keys                  = "keys"                // keys in an iteration of the loop
)

// Units of Forecast.
const (
	CoreHours                      = "core-hours"
	ClusterNanosecondsPerOperation = "cluster-ns/op"
	ShuffledBytes                  = "shuffled-bytes"
	BlockFingerprints              = "block-fingerprints"
)

// The share of near-duplicates that a search finds, and the share of its results that are
// near-duplicates.
const (
	Recall    = "recall"
	Precision = "precision"
)

// Units of Road, in addition to times, PeakBytes and pairs.
const (
	WrittenBytes  = "written-bytes"  // bytes that a stage passes on
	BlockLines    = "block-lines"    // lines of all blocks; a fingerprint has one per table
	BlockCount    = "blocks"         // number of blocks
	LargestBlock  = "largest-block"  // fingerprints in the largest block
	ComparedPairs = "compared-pairs" // pairs of fingerprints in the same block
)

// Units of CorpusFound, in addition to Recall and Precision.
const (
	// PrecisionByJaccard is Precision by the exact Jaccard similarity of shingles of two words.
	PrecisionByJaccard = Precision + "-jaccard"
	Planted            = "planted" // near-duplicates made by one edit, or by all edits
	Dropped            = "dropped" // dropped documents: all except one of each group
)

// CosineBias is the mean error of an estimated cosine.
const CosineBias = "cosine-bias"

// Units of NearDuplicates, in addition to Recall, Precision, Dropped, CPUNanosecondsPerOperation
// and PeakBytes.
const (
	Documents      = "documents"
	Removable      = "removable"       // documents that are similar to a kept one, by brute force
	RightlyDropped = "rightly-dropped" // documents that are similar to one that the program keeps
)

// Better says which values of a unit, of this package or of bench/terms, are better: +1 means
// higher values, -1 lower values, 0 neither.
func Better(unit string) int {
	switch unit {
	case Recall, Precision:
		return +1
	case Planted, Dropped, CosineBias, Documents, Removable, RightlyDropped, BlockLines, BlockCount:
		return 0
	}
	switch {
	case strings.HasPrefix(unit, Recall+"-") || strings.HasPrefix(unit, Precision+"-"):
		return +1
	}
	return terms.Better(unit)
}
