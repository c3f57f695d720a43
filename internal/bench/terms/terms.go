// Package terms has the names of the benchmarks, units, kernels and verdicts in result files.
// Packages that show or judge results use it, so that they need not import the packages that
// measure.
package terms

import (
	"fmt"
	"slices"
	"strings"
)

// The timed operations. They are the first parts of names.
const (
	Hash        = "Hash"        // keys in, codes out
	Accumulate  = "Accumulate"  // codes and weights in, fingerprint out
	Sketch      = "Sketch"      // indices and weights in, fingerprint out
	HammingScan = "HammingScan" // one query against n fingerprints
	MemoryRead  = "MemoryRead"  // reading n fingerprints: the speed limit of HammingScan
	Distance    = "Distance"    // two fingerprints in, the number of differing bits out
	Search      = "Search"      // one query in, the fingerprints within 3 bits out
)

// Ways to sketch and to compare, besides Naive. They are values of method= in names.
const (
	Gaussian  = "gaussian"  // 64 stored hyperplanes of float32
	Signs     = "signs"     // 64 stored hyperplanes of ±1, as bits
	Functions = "functions" // 64 hash functions
	Strings   = "strings"   // fingerprints as strings of "0" and "1"
	Clearing  = "clearing"  // clear the lowest differing bit until none is left
	Count     = "count"     // population count of the differing bits
)

// Quality is the first part of the names of results that are computed, not timed; see package
// quality.
const Quality = "Quality"

// Kernels that are not tiers.
const (
	Naive   = "naive"   // the loop that most programs use
	Library = "library" // the hash library, called with one key at a time
)

// Units of times and rates.
const (
	NanosecondsPerKey     = "ns/key"
	NanosecondsPerFeature = "ns/nnz"
	MegabytesPerSecond    = "MB/s" // 10^6 bytes; a fingerprint of 64 bits has 8

	NanosecondsPerComparison = "ns/comparison"
	NanosecondsPerQuery      = "ns/query"
)

// Units of the facts about cases.
const (
	BytesStored        = "B-stored"         // of hyperplanes
	BytesPerEntry      = "B/entry"          // of a searched collection
	BuildPerEntry      = "build-ns/entry"   // of a searched collection, once
	CandidatesPerQuery = "candidates/query" // entries or keys that a search looks at
	Recall             = "recall"           // share of the matches that a search finds
)

// Fact reports whether a unit belongs to the facts about cases.
func Fact(unit string) bool {
	switch unit {
	case BytesStored, BytesPerEntry, BuildPerEntry, CandidatesPerQuery, Recall:
		return true
	}
	return false
}

// Units of Quality.
const (
	EffectiveBits      = "effective-bits"    // over all angles
	EffectiveBuckets   = "effective-buckets" // of feature hashing
	Cos90              = "-cos90"            // appended to a unit: at cosine 0.9 and above
	EffectiveBitsCos90 = EffectiveBits + Cos90
	Low, High          = "-low", "-high" // appended to a unit: the ends of its 95% interval
	ConstantBits       = "constant-bits"
	CopiedBits         = "copied-bits"     // copies and complements of other bits
	Codes              = "different-codes" // only if there are too few
	Verdict            = "verdict"         // a Judgement
	Keyings            = "keyings"         // number of keyings
	Pairs              = "pairs"           // number of pairs of vectors
)

// What hashes are judged for. They are the values of sketch= in names; SimHash is left out there.
const (
	SimHash = "simhash"
	MinHash = "minhash" // 1-bit MinHash of sets
	Hashing = "hashing" // feature hashing with signs
)

// Sketches returns the values of sketch=.
func Sketches() []string { return []string{SimHash, MinHash, Hashing} }

// Use has the words and units for results of one kind of sketch.
type Use struct {
	Size  string // what an effective size counts: bits or buckets
	Unit  string // the unit of the effective size over all pairs
	Near  string // appended to units for the second band
	Where string // the second band, as in "12 of 64 bits at cosine 0.9 and above"
	Band  string // the second band, as the head of a column
}

// Size returns the usual size of a sketch: 64 bits, or 1,024 buckets.
func Size(sketch string) int {
	if sketch == Hashing {
		return 1 << 10
	}
	return 64
}

// UseOf returns the words and units for a value of sketch=, "" included.
func UseOf(sketch string) Use {
	switch sketch {
	case MinHash:
		return Use{"bits", EffectiveBits, "-j80", "at Jaccard similarity 0.8 and above", "J ≥ 0.8"}
	case Hashing:
		return Use{"buckets", EffectiveBuckets, "-norms", "for norms", "norms"}
	}
	return Use{"bits", EffectiveBits, Cos90, "at cosine 0.9 and above", "cosine ≥ 0.9"}
}

// Better returns +1 if higher values of a unit are better, -1 if lower ones are, and 0 if neither.
func Better(unit string) int {
	switch unit {
	case MegabytesPerSecond, Verdict, Recall, Codes:
		return +1
	case Keyings:
		return 0
	}
	switch {
	case strings.HasPrefix(unit, EffectiveBits), strings.HasPrefix(unit, EffectiveBuckets):
		return +1
	case strings.HasPrefix(unit, "bias"), strings.HasPrefix(unit, Pairs):
		return 0
	}
	return -1
}

// Encodings of indices. They are the values of encoding= in names.
const (
	LE64 = "le64"
	BE64 = "be64"
	Dec  = "dec"
)

// Patterns of indices, and of strings. They are the values of pattern= in names. Each keying of a
// pattern has its own keys. Offsets are uniform below 10^7, except those of Dense1e3, which are
// below 1,000.
const (
	Uniform64   = "uniform64"   // 16,384 random indices below 2^64
	Uniform1e7  = "uniform1e7"  // 16,384 random indices below 10^7
	Dense1e3    = "dense1e3"    // 1,000 consecutive indices; vectors sample these
	Consecutive = "consecutive" // 16,384 consecutive indices; vectors are runs of these
	Strided     = "strided"     // like Consecutive, with a step of 1,024
	Pow2        = "pow2"        // powers of two and sums of two; keyings permute bits
	BitRev      = "bitrev"      // like Consecutive, with the bits of the index reversed
	Data        = "data"        // indices of given vectors
	ListedKeys  = "keys"        // positions in a list of the user; at most 16,384

	Words     = "words"     // 16,384 words of a vocabulary
	Fields    = "fields"    // 16,384 field=value pairs, as in click logs
	WordPairs = "wordpairs" // 16,384 pairs of words with a space
)

// LeastListedKeys is the minimum length of a list. With fewer keys, vectors would share many by
// chance.
const LeastListedKeys = 1000

// Patterns returns all values of pattern= except ListedKeys.
func Patterns() []string { return slices.Concat(IndexPatterns(), StringPatterns(), []string{Data}) }

// IndexPatterns returns the patterns of indices that package quality makes.
func IndexPatterns() []string {
	return []string{Uniform64, Uniform1e7, Dense1e3, Consecutive, Strided, Pow2, BitRev}
}

// StringPatterns returns the patterns whose strings package quality makes.
func StringPatterns() []string { return []string{Words, Fields, WordPairs} }

// OfStrings reports whether the keys of a pattern are strings.
func OfStrings(pattern string) bool {
	return pattern == ListedKeys || slices.Contains(StringPatterns(), pattern)
}

// Kinds of generated weights. All are computed with integers, so they are the same on every
// machine.
const (
	Unit   = "unit"   // all 1
	Counts = "counts" // half are 1, a quarter are 2, and so on up to 16; int32
	TFIDF  = "tfidf"  // Counts times 1 to 10, in steps of 1/1024; float32
	// bell-shaped distribution within ±2 in steps of 1/1024; both vectors of a pair have the same
	// features; float32
	Signed    = "signed"
	Dominated = "dominated" // TFIDF, but one weight is as large as the norm of the others
)

// Keys describes the keys of a hash, as in "decimal keys of dense indices". Without an encoding, it
// describes the indices.
func Keys(encoding, pattern string) string {
	of, known := indices[pattern]
	if !known {
		of = "the indices of these vectors"
	}
	order, encoded := map[string]string{LE64: "little-endian", BE64: "big-endian", Dec: "decimal"}[encoding]
	if !encoded || OfStrings(pattern) {
		return of
	}
	return order + " keys of " + of
}

// indices describes the indices of the patterns of package quality, except those of given vectors.
var indices = map[string]string{
	Uniform64:   "indices spread over 2^64",
	Uniform1e7:  "indices spread over 10^7",
	Dense1e3:    "dense indices",
	Consecutive: "runs of consecutive indices",
	Strided:     "runs of indices 1,024 apart",
	Pow2:        "sums of one or two powers of two",
	BitRev:      "runs of bit-reversed indices",
	ListedKeys:  "the listed keys",
	Words:       "words",
	Fields:      "field=value strings",
	WordPairs:   "pairs of words",
}

// Judgement is a verdict on a hash on a workload, and the value of the unit Verdict. Package advice
// explains it in words.
type Judgement int

// The judgements, worst first. They depend on the error of estimated angles: a significant
// deviation that does not increase this error is not held against the hash. But bits that are
// constant, copies or complements of others always make a hash Weak, because users pay to store
// bits without information. So do codes that many indices share, because the error grows with the
// number of indices.
const (
	Weak      Judgement = iota - 1 // an upper end is below 0.9 f, or bits are constant or copied
	Undecided                      // neither good nor weak, or too few data

	// The lower end of the interval is at least 0.9 f in both bands, or in the only band with 30
	// pairs. In addition, bits were tested, and none is constant or copied.
	Good
)

// String returns "good", "weak" or "undecided".
func (j Judgement) String() string {
	switch j {
	case Good:
		return "good"
	case Weak:
		return "weak"
	}
	return "undecided"
}

// MarshalText returns String.
func (j Judgement) MarshalText() ([]byte, error) { return []byte(j.String()), nil }

// GoodPart is the minimum of effective bits divided by the width for a good hash.
const GoodPart = 0.9

// The minimum numbers of keyings, and of pairs in a band, for a verdict.
const (
	LeastKeyings = 100
	LeastPairs   = 30
)

// Bits formats a number of bits, with one decimal below 100.
func Bits(v float64) string {
	if v < 99.95 {
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f", v)
}
