// Package evidence names the benchmarks and units of the result files that the programs beside it
// write, beyond those of bench/terms, and finds figures by name and unit.
package evidence

import (
	"strings"

	"simhashkit/bench/terms"
)

// The first part of a benchmark's name.
const (
	Road        = "Road"        // near-duplicates by other roads than dedup-corpus; see scale
	Batch       = "Batch"       // many queries against n fingerprints at once
	BlockSearch = "BlockSearch" // n fingerprints with the same key in, pairs out
	CorpusFound = "CorpusFound" // which of the near-duplicates that were planted in a corpus are found

	NearDuplicates = "NearDuplicates" // which near-duplicates of real texts are found; see neardup

	Cycles       = "Cycles"       // what a kernel takes by a model of a processor; see cycles
	Instructions = "Instructions" // what the main loop of a kernel executes; see instructions
	MinHash      = "MinHash"      // functions of MinHash, and what they take; see minhash/peers
	Forecast     = "Forecast"     // what n fingerprints would take; see scale/forecast
)

// Units of times and memory.
const (
	// CPUNanosecondsPerOperation are those of all processors together.
	CPUNanosecondsPerOperation = "cpu-ns/op"
	PeakBytes                  = "peak-bytes" // the most memory that was in use at once
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
	MultiplicationsPerKey = "multiplications/key" // of them
	Keys                  = "keys"                // at a time
)

// Units of Forecast.
const (
	CoreHours                      = "core-hours"
	ClusterNanosecondsPerOperation = "cluster-ns/op"
	ShuffledBytes                  = "shuffled-bytes"
	BlockFingerprints              = "block-fingerprints"
)

// What a search finds of the near-duplicates, and how much of what it finds are some.
const (
	Recall    = "recall"
	Precision = "precision"
)

// Units of Road, beside the times, PeakBytes and pairs.
const (
	WrittenBytes  = "written-bytes"  // that a stage hands on
	BlockLines    = "block-lines"    // fingerprints under keys: each has one in each table
	BlockCount    = "blocks"         // different keys
	LargestBlock  = "largest-block"  // fingerprints
	ComparedPairs = "compared-pairs" // those in the blocks
)

// Units of CorpusFound, beside Recall and Precision.
const (
	// PrecisionByJaccard is Precision by the exact Jaccard similarity of shingles of two words.
	PrecisionByJaccard = Precision + "-jaccard"
	Planted            = "planted" // near-duplicates of an edit, or of all
	Dropped            = "dropped" // documents: all but one of each group that is found
)

// CosineBias is the mean error of an estimated cosine.
const CosineBias = "cosine-bias"

// Units of NearDuplicates, beside Recall, Precision, Dropped, CPUNanosecondsPerOperation and
// PeakBytes.
const (
	Documents      = "documents"
	Removable      = "removable"       // documents that are similar to a kept one, by brute force
	RightlyDropped = "rightly-dropped" // documents that are similar to one that the program keeps
)

// Better says which figures of a unit, of these or of bench/terms, are the better ones: +1 the
// higher, -1 the lower, 0 neither.
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
