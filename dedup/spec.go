// Package dedup finds the near-duplicates among records and says which of them to keep. The command
// fphash dedup runs it.
//
// Records have ids and fingerprints; package fingerprints reads them from files. A Spec says which
// records are near-duplicates: by the similarity of their texts or vectors, or only by the distance
// of their fingerprints. Find returns a Result, with a summary for people and lists for programs.
//
// With a similarity, fingerprints only choose the candidates, and a Verifier compares these. A
// record is dropped only if it is similar to a kept record. Find may miss a few similar pairs: see
// Spec.Candidates.
package dedup

import (
	"fmt"
	"math"
	"slices"

	"simhashkit/fphash"
	"simhashkit/fphash/index/join"
	"simhashkit/internal/binomial"
)

// Measure says what the similarity of two records is.
type Measure string

// The measures.
const (
	// Words is the share of words that two texts have in common in the same order, of the words of
	// the longer one: see package similarity.
	Words Measure = "words"
	// Jaccard is the share of the distinct words of two texts that both have, in any order.
	Jaccard Measure = "jaccard"
	// Cosine is the cosine of two vectors.
	Cosine Measure = "cosine"
)

// TextMeasures lists the measures of texts, the default first. Vectors have one, Cosine.
func TextMeasures() []Measure { return []Measure{Words, Jaccard} }

// The defaults of a Spec.
const (
	DefaultTextSimilarity   = 0.9
	DefaultVectorSimilarity = 0.95
	DefaultRecall           = 0.99

	// LeastSimilarity is the least similarity that can be asked for. Below it, candidates are as
	// many as all pairs.
	LeastSimilarity = 0.5
)

// Spec says which records are near-duplicates. There are two kinds.
//
// With a Similarity, records are near-duplicates if they are at least that similar by Measure.
// Their fingerprints only choose the candidates: see Candidates. A record is dropped only if it is
// similar to one that is kept.
//
// Without one, records are near-duplicates if their fingerprints differ in at most K bits.
type Spec struct {
	Measure    Measure // "" is Words
	Similarity float64 // LeastSimilarity to 1; 0: fingerprints alone decide, by K and By
	Recall     float64 // share of the pairs of that similarity to be found, above 0 and below 1

	K  int    // bits
	By string // Components or First; "" is Components

	Differ float64 // set by Find: Candidates.Differ
}

// Candidates is how the fingerprints of records are compared to find those that may be similar.
type Candidates struct {
	Sketch fphash.Sketch
	Bits   int     // of a fingerprint
	K      int     // bits in which those of a candidate pair differ at most
	Differ float64 // probability that a bit differs, of a pair that is just similar enough
}

// chanceCandidates is how often two unrelated records may be candidates.
const chanceCandidates = 1e-6

// unrelatedJaccard is the Jaccard similarity of the words of unrelated texts, which share the
// frequent ones of their language.
const unrelatedJaccard = 0.1

// Candidates returns the sketch, width and threshold with which a search finds the share Recall of
// the pairs of just that similarity, and more of the pairs above it.
//
// Two texts with a share s of words in common, in the order of both, have a Jaccard similarity J of
// at least s/(2-s) if no word comes twice. Real texts repeat words and short ones have few, so
// their sets differ more. J^1.4 in place of J allows for that: a third more differing bits at s =
// 0.9. A bit of a 1-bit MinHash differs with probability (1-J)/2, one of a simhash with
// arccos(cosine)/π.
//
// The width is the least of 128, 256, 512 and 1024 bits at which hardly any unrelated records are
// candidates.
func (s Spec) Candidates() Candidates {
	c := Candidates{Sketch: fphash.MinHash}
	unrelated := (1 - unrelatedJaccard) / 2
	switch s.Measure {
	case Cosine:
		c.Sketch, unrelated = fphash.SimHash, 0.5
		// Fingerprints of few or very unequal weights vary more than random hyperplanes would.
		c.Differ = 1.2 * math.Acos(s.Similarity) / math.Pi
	case Jaccard:
		c.Differ = (1 - s.Similarity) / 2
	default:
		c.Differ = (1 - math.Pow(s.Similarity/(2-s.Similarity), 1.4)) / 2
	}
	for c.Bits = 128; ; c.Bits *= 2 {
		c.K = s.threshold(c.Bits, c.Differ)
		within := make([]float64, c.Bits+1)
		binomial.AtMost(within, unrelated)
		if c.Bits == 1024 || within[c.K] < chanceCandidates {
			return c
		}
	}
}

// threshold returns the K of fingerprints of that many bits. At most half of the pairs that may be
// missed are beyond K, so that the search within K may miss the other half.
func (s Spec) threshold(bits int, differ float64) int {
	return join.Threshold(bits, differ, (1+s.Recall)/2)
}

// forBits checks a specification with a similarity and sets how candidates are found among
// fingerprints of that many bits, which need not be the width that Candidates recommends.
func (s Spec) forBits(bits int) (Spec, error) {
	if measures := append(TextMeasures(), Cosine, ""); !slices.Contains(measures, s.Measure) {
		return s, fmt.Errorf("measure %q, expected one of %q", s.Measure, measures[:3])
	}
	if !(s.Similarity >= LeastSimilarity && s.Similarity <= 1) {
		return s, fmt.Errorf("similarity %v, expected %v to 1", s.Similarity, LeastSimilarity)
	}
	if !(s.Recall > 0 && s.Recall < 1) {
		return s, fmt.Errorf("recall %v, expected more than 0 and less than 1, as in %v", s.Recall, DefaultRecall)
	}
	s.Differ = s.Candidates().Differ
	s.K, s.By = s.threshold(bits, s.Differ), First
	return s, nil
}

// DefaultK returns the threshold for fingerprints of that many bits where nothing else is known: 3
// of 64, and in proportion for other widths, rounded down. By MinHash it is 10 of 64, a sixth.
func DefaultK(sketch fphash.Sketch, bits int) int {
	if sketch == fphash.MinHash {
		return bits / 6
	}
	return bits * 3 / 64
}
