// Package dedup finds near-duplicates among records and decides which of them to keep.
//
// Records have ids and fingerprints. Package source reads files of all kinds, and calls this
// package as the command fphash dedup does; start there if the records are in files. A Spec defines
// near-duplicates: by the similarity of their texts or vectors, or only by the distance of their
// fingerprints. Find returns a Result, with a summary for people and lists for programs.
//
// If a Spec has a similarity, fingerprints only select candidates, and a Verifier compares these. A
// record is dropped only if it is similar to a kept record. Find may miss a few similar pairs: see
// Spec.Candidates.
package dedup

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"simhashkit/fphash"
	"simhashkit/internal/binomial"
	"simhashkit/internal/similarity"
)

// Measure defines the similarity of two records.
type Measure string

// The measures.
const (
	// Words is the length of the longest common subsequence of the words, as a share of the words
	// of the longer text. A word is a run of letters and digits, or a character of a script without
	// spaces between words.
	Words Measure = "words"
	// Jaccard is the Jaccard similarity of the sets of words of two texts.
	Jaccard Measure = "jaccard"
	// Cosine is the cosine of two vectors.
	Cosine Measure = "cosine"
)

// TextMeasures returns the measures of texts, the default first. Vectors have only Cosine.
func TextMeasures() []Measure { return []Measure{Words, Jaccard} }

// The defaults of a Spec.
const (
	DefaultTextSimilarity   = 0.9
	DefaultVectorSimilarity = 0.95
	DefaultRecall           = 0.99

	// LeastSimilarity is the least similarity that a Spec may require. Below it, nearly all pairs
	// would be candidates.
	LeastSimilarity = 0.5
)

// Spec defines near-duplicates in one of two ways.
//
// If Similarity is set, records are near-duplicates if their similarity by Measure is at least
// Similarity. Their fingerprints only select candidates: see Candidates. A record is dropped only
// if it is similar to a kept record.
//
// Otherwise, records are near-duplicates if their fingerprints differ in at most K bits.
type Spec struct {
	Measure    Measure // "" is Words
	Similarity float64 // LeastSimilarity to 1; 0: K and By apply
	Symbols    bool    // for texts: each symbol is a word
	Recall     float64 // minimum share of the similar pairs to find, above 0 and below 1

	// KeepDifferent has the traits in which a dropped text must equal the kept one: InNumbers,
	// InNegations, or both with |. Texts that differ in one of these are not near-duplicates.
	KeepDifferent similarity.Differences

	K  int    // bits; UsualK is the default for the width
	By string // Components or First; "" is Components
}

// UsualK is a value of Spec.K that means DefaultK for the sketch and width of the fingerprints.
const UsualK = -1

// limit defines which fingerprints of one width are near each other.
type limit struct {
	k      int
	by     string
	differ float64 // Candidates.Differ; 0 without a similarity
}

// Candidates are the settings of the search for pairs that may be similar.
type Candidates struct {
	Sketch fphash.Kind
	Bits   int     // width of a fingerprint
	K      int     // largest distance of candidates, in bits
	Differ float64 // probability that a bit differs in a pair of exactly the required similarity
}

// chanceCandidates is the acceptable probability that two unrelated records are candidates.
const chanceCandidates = 1e-6

// unrelatedJaccard is the Jaccard similarity of the words of unrelated texts. They share the
// frequent words of their language.
const unrelatedJaccard = 0.1

// Candidates returns the sketch, width and threshold with which a search finds at least the share
// Recall of the pairs whose similarity is Similarity or more. The Spec must pass Check.
//
// Texts: the features are the words with their occurrence numbers, so they are a set that is as
// large as the multiset of the words. If two texts have the Words similarity s, they share at least
// s·n of these features, where n is the number of words of the longer text. So the Jaccard
// similarity of their features is J >= s/(2-s), for all texts. With the measure Jaccard, J = s. A
// bit of a 1-bit MinHash differs with probability (1-J)/2.
//
// Vectors: a bit of a simhash differs with probability arccos(cosine)/π, if no few weights dominate
// the vector. There is no bound for all vectors.
//
// The width is the least of 128, 256, 512 and 1024 bits at which hardly any unrelated records are
// candidates.
func (s Spec) Candidates() Candidates {
	c := Candidates{Sketch: fphash.MinHash}
	unrelated := (1 - unrelatedJaccard) / 2
	switch s.Measure {
	case Cosine:
		c.Sketch, unrelated = fphash.SimHash, 0.5
		c.Differ = math.Acos(s.Similarity) / math.Pi
	case Jaccard:
		c.Differ = (1 - s.Similarity) / 2
	default:
		c.Differ = (1 - s.Similarity/(2-s.Similarity)) / 2
	}
	for c.Bits = 128; ; c.Bits *= 2 {
		c.K = s.threshold(c.Bits, c.Differ)
		within := binomial.AtMost(c.Bits, unrelated)
		if c.Bits == 1024 || within[c.K] < chanceCandidates {
			return c
		}
	}
}

// threshold returns K for fingerprints of the given width. Pairs can be missed because they are
// beyond K, or by the search within K. Each may lose half of the pairs that Recall allows to lose.
func (s Spec) threshold(bits int, differ float64) int {
	return binomial.Threshold(bits, differ, (1+s.Recall)/2)
}

// Check returns an error if the similarity, its measure or the recall is out of range. Without a
// similarity, Find checks K and By.
func (s Spec) Check() error {
	if s.Similarity == 0 {
		return nil
	}
	if measures := append(TextMeasures(), Cosine, ""); !slices.Contains(measures, s.Measure) {
		return fmt.Errorf("dedup: measure %q, expected one of %q", s.Measure, measures[:3])
	}
	if !(s.Similarity >= LeastSimilarity && s.Similarity <= 1) {
		return fmt.Errorf("dedup: similarity %v, expected %v to 1", s.Similarity, LeastSimilarity)
	}
	if !(s.Recall > 0 && s.Recall < 1) {
		return fmt.Errorf("dedup: recall %v, expected more than 0 and less than 1, as in %v", s.Recall, DefaultRecall)
	}
	return nil
}

// limit checks a specification, and returns its limit for fingerprints of the given sketch and
// width. The width may differ from the one that Candidates recommends.
func (s Spec) limit(sketch fphash.Kind, bits int) (limit, error) {
	if s.Similarity == 0 {
		return s.limitOfFingerprints(sketch, bits)
	}
	if err := s.Check(); err != nil {
		return limit{}, err
	}
	differ := s.Candidates().Differ
	return limit{k: s.threshold(bits, differ), by: First, differ: differ}, nil
}

func (s Spec) limitOfFingerprints(sketch fphash.Kind, bits int) (limit, error) {
	l := limit{k: s.K, by: cmp.Or(s.By, Components)}
	if s.K == UsualK {
		l.k = DefaultK(sketch, bits)
	}
	if !slices.Contains(Ways(), l.by) {
		return l, fmt.Errorf("dedup: by %q, expected one of %q", l.by, Ways())
	}
	if l.k < 0 || l.k >= bits {
		return l, fmt.Errorf("dedup: k = %d, expected 0 to %d: fingerprints have %d bits", l.k, bits-1, bits)
	}
	return l, nil
}

// DefaultK returns the default threshold for fingerprints of the given width: 3 of 64 bits, and in
// proportion for other widths, rounded down. For MinHash it is a sixth of the bits, 10 of 64.
func DefaultK(sketch fphash.Kind, bits int) int {
	if sketch == fphash.MinHash {
		return bits / 6
	}
	return bits * 3 / 64
}
