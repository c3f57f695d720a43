// Package terms names the benchmarks, units, kernels and verdicts of the benchmark kit's result
// files. It imports nothing, so what shows or judges a figure need not import what measures it.
package terms

import (
	"fmt"
	"strings"
)

// What is timed: the first part of a benchmark's name.
const (
	Hash        = "Hash"        // keys in, codes out
	Accumulate  = "Accumulate"  // codes and weights in, fingerprint out
	Sketch      = "Sketch"      // indices and weights in, fingerprint out
	HammingScan = "HammingScan" // one query against n fingerprints
	MemoryRead  = "MemoryRead"  // reading n fingerprints and nothing else: what bounds HammingScan
)

// Quality begins the names of what is computed rather than timed; see package quality.
const Quality = "Quality"

// Kernels that are no tiers.
const (
	Naive   = "naive"   // the loop that everyone copies
	Library = "library" // the hash library's own call, one key at a time
)

// Units of times and rates.
const (
	NanosecondsPerKey     = "ns/key"
	NanosecondsPerFeature = "ns/nnz"
	MegabytesPerSecond    = "MB/s" // 10^6 bytes; a fingerprint of 64 bits has 8
)

// Units of Quality.
const (
	EffectiveBits      = "effective-bits" // over all angles
	Cos90              = "-cos90"         // appended to a unit: at cosine 0.9 and above
	EffectiveBitsCos90 = EffectiveBits + Cos90
	Low, High          = "-low", "-high"  // appended to a unit: the ends of its 95% interval
	Bias               = "bias"           // of the angle, in radians
	RMSE               = "rmse"           // of the angle, in radians
	VarianceRatio      = "variance-ratio" // to an ideal source
	ConstantBits       = "constant-bits"
	CopiedBits         = "copied-bits" // copies and complements of other bits
	BiasP              = "bias-p"
	CorrelationP       = "correlation-p"
	AvalancheP         = "avalanche-p"
	Verdict            = "verdict"    // one of the verdicts
	Keyings            = "keyings"    // under which angles were estimated
	Pairs              = "pairs"      // of vectors
	Unrelated          = "unrelated-" // begins the units about fingerprints of unrelated vectors
	P                  = "-p"         // ends the units of p-values

	UnrelatedMeanRatio     = Unrelated + "mean-ratio" // to the ideal source's, with p-values
	UnrelatedMeanP         = Unrelated + "mean" + P
	UnrelatedVarianceRatio = Unrelated + "variance-ratio"
	UnrelatedVarianceP     = Unrelated + "variance" + P
)

// Better says which figures of a unit are better: +1 the higher, -1 the lower, 0 neither.
func Better(unit string) int {
	switch unit {
	case MegabytesPerSecond, Verdict:
		return +1
	case Keyings:
		return 0
	}
	switch {
	case strings.HasPrefix(unit, EffectiveBits):
		return +1
	case strings.HasPrefix(unit, Bias), strings.HasPrefix(unit, Unrelated), strings.HasPrefix(unit, Pairs), strings.HasSuffix(unit, P):
		// p-values belong to tests of a thing that has a direction of its own
		return 0
	}
	return -1
}

// How indices enter the hash: the values of encoding= in names, in the order of documents.
const (
	LE64 = "le64"
	BE64 = "be64"
	Dec  = "dec"
)

// What the indices look like: the values of pattern= in names; see package quality.
const (
	Uniform64   = "uniform64"
	Uniform1e7  = "uniform1e7"
	Dense1e3    = "dense1e3"
	Consecutive = "consecutive"
	Strided     = "strided"
	Pow2        = "pow2"
	BitRev      = "bitrev"
	Data        = "data"
	ListedKeys  = "keys"
)

// Keys describes keys of a hash: "decimal keys of dense indices"; without encoding, the indices.
func Keys(encoding, pattern string) string {
	of, known := indices[pattern]
	if !known {
		of = "the indices of these vectors"
	}
	order, encoded := map[string]string{LE64: "little-endian", BE64: "big-endian", Dec: "decimal"}[encoding]
	if !encoded || pattern == ListedKeys {
		return of
	}
	return order + " keys of " + of
}

var indices = map[string]string{
	Uniform64:   "indices spread over 2^64",
	Uniform1e7:  "indices spread over 10^7",
	Dense1e3:    "dense indices",
	Consecutive: "runs of consecutive indices",
	Strided:     "runs of indices 1,024 apart",
	Pow2:        "sums of one or two powers of two",
	BitRev:      "runs of bit-reversed indices",
	ListedKeys:  "the listed keys",
}

// Judgement is a verdict on a hash, and the figure of unit Verdict; package quality has the rules.
type Judgement int

// The judgements, the worse ones first.
const (
	Weak Judgement = iota - 1
	Undecided
	Good
)

// String is what the judgement is called.
func (j Judgement) String() string {
	switch j {
	case Good:
		return "good"
	case Weak:
		return "weak"
	}
	return "undecided"
}

// GoodPart is the part of its width that the bits of a good hash are worth.
const GoodPart = 0.9

// What a verdict takes; pairs in each band that counts.
const (
	LeastKeyings = 100
	LeastPairs   = 30
)

// Bits writes a number of bits with as many digits as mean something.
func Bits(v float64) string {
	if v < 99.95 {
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f", v)
}
