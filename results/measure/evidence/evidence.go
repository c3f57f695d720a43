// Package evidence names the benchmarks and units in the result files of the programs of
// results/measure, in addition to those of bench/terms. It also finds figures by name and unit.
package evidence

import (
	"strings"

	"simhashkit/bench/terms"
)

// The first part of a benchmark's name.
const (
	Road        = "Road"        // near-duplicates by other methods than dedup-corpus; see scale
	Batch       = "Batch"       // many queries against n fingerprints at once
	BlockSearch = "BlockSearch" // pairs among n fingerprints with the same key
	CorpusFound = "CorpusFound" // the planted near-duplicates of a corpus that a program finds

	NearDuplicates = "NearDuplicates" // near-duplicates of real texts that are found; see neardup

	Cycles       = "Cycles"       // time of a kernel by a model of a processor; see cycles
	Instructions = "Instructions" // instructions of the main loop of a kernel; see instructions
	MinHash      = "MinHash"      // functions of MinHash and their cost; see minhash/peers
	Forecast     = "Forecast"     // estimated cost for n fingerprints; see scale/forecast
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

// The share of near-duplicates that a search finds, and the share of its results that are
// near-duplicates.
const (
	Recall    = "recall"
	Precision = "precision"
)

// Units of Road, in addition to times, PeakBytes and pairs.
const (
	WrittenBytes  = "written-bytes"  // that a stage hands on
	BlockLines    = "block-lines"    // a fingerprint has one for each table
	BlockCount    = "blocks"         // different keys
	LargestBlock  = "largest-block"  // fingerprints
	ComparedPairs = "compared-pairs" // those in the blocks
)

// Units of CorpusFound, in addition to Recall and Precision.
const (
	// PrecisionByJaccard is Precision by the exact Jaccard similarity of shingles of two words.
	PrecisionByJaccard = Precision + "-jaccard"
	Planted            = "planted" // near-duplicates made by one edit, or by all edits
	Dropped            = "dropped" // documents: all but one of each group found
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
