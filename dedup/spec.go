// Package dedup finds near-duplicates among records and decides which of them to keep.
//
// Records have ids and fingerprints. Package source reads files of all kinds, and calls this
// package as the command fphash dedup does; start there if the records are in files. A Spec defines
// near-duplicates: by the similarity of their texts or vectors, or only by the distance of their
// fingerprints. Find returns a Result, with a summary for people and lists for programs.
//
// If a Spec has a similarity, fingerprints only select candidates, which Find reads again to
// compare them. A record is dropped only if it is similar to a kept record. Find may miss a few
// similar pairs: see Spec.Candidates.
//
// For a stream of texts, keep an index of fingerprints: the matches of a text within k of
// Spec.Candidates are candidates, and Select compares them. See the example of Select.
package dedup

import (
	"fmt"
	"math"
	"slices"

	"simhashkit/fphash"
	"simhashkit/internal/binomial"
	"simhashkit/internal/similarity"
	"simhashkit/textsketch"
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

// measures are all measures.
var measures = []Measure{Words, Jaccard, Cosine}

// LeastSimilarity is the least similarity that a Spec may require. Below it, nearly all pairs would
// be candidates.
const LeastSimilarity = 0.5

// Spec defines near-duplicates in one of two ways.
//
// If Similarity is set, records are near-duplicates if their similarity by Measure is at least
// Similarity. Their fingerprints only select candidates: see Candidates. A record is dropped only
// if it is similar to a kept record.
//
// Otherwise, records are near-duplicates if their fingerprints differ in at most K bits.
type Spec struct {
	Measure    Measure // "" is Words
	Similarity float64 // LeastSimilarity to 1; 0: K and First apply
	Symbols    bool    // for texts: each symbol is a word
	Recall     float64 // minimum share of the similar pairs to find, above 0 and below 1

	// Texts that differ in a number, or by a negation, are not near-duplicates.
	KeepNumbers, KeepNegations bool

	K int // bits; UsualK is the default for the width

	// First drops a record only if it is near a kept record before it. Otherwise, records connected
	// by chains of near pairs form a group, and one of the group is kept.
	First bool
}

// DefaultSpec returns the default Spec for a measure: the similarity 0.9 for texts and 0.95 for
// vectors, and the recall 0.99.
func DefaultSpec(measure Measure) Spec {
	s := Spec{Measure: measure, Similarity: 0.9, Recall: 0.99}
	if measure == Cosine {
		s.Similarity = 0.95
	}
	return s
}

// UsualK is a value of Spec.K that means DefaultK for the sketch and width of the fingerprints.
const UsualK = -1

// limit defines which fingerprints of one width are near each other.
type limit struct {
	k      int
	first  bool
	differ float64 // Spec.differ; 0 without a similarity
}

// chanceCandidates is the acceptable probability that two unrelated records are candidates.
const chanceCandidates = 1e-6

// unrelatedJaccard is the Jaccard similarity of the words of unrelated texts. They share the
// frequent words of their language.
const unrelatedJaccard = 0.1

// Candidates returns the definition of the fingerprints, and the largest distance k, with which a
// search finds at least the share Recall of the pairs whose similarity is Similarity or more. The
// Spec must pass Check. Sketcher computes the fingerprints of texts.
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
func (s Spec) Candidates() (d fphash.Definition, k int) {
	d = fphash.Definition{Hash: fphash.DefaultHash, Kind: fphash.MinHash}
	unrelated := (1 - unrelatedJaccard) / 2
	if s.Measure == Cosine {
		d.Kind, d.Widen, d.Float32, unrelated = fphash.SimHash, fphash.WidenMix, true, 0.5
	}
	for d.Bits = 128; ; d.Bits *= 2 {
		k = s.threshold(d.Bits)
		within := binomial.AtMost(d.Bits, unrelated)
		if d.Bits == 1024 || within[k] < chanceCandidates {
			return d, k
		}
	}
}

// Sketcher returns the Sketcher whose fingerprints select candidates among texts. keys may be nil;
// see package textsketch.
func (s Spec) Sketcher(keys *textsketch.Keys) (*textsketch.Sketcher, error) {
	if s.Similarity == 0 || s.Measure == Cosine {
		return nil, fmt.Errorf("dedup: expected a similarity of texts, got %v by %s", s.Similarity, s.Measure)
	}
	d, _ := s.Candidates()
	hash, err := fphash.New(d)
	if err != nil {
		return nil, err
	}
	features := similarity.Features(s.Symbols, s.Measure != Jaccard)
	return textsketch.New(textsketch.Options{Text: features, Hash: hash, Whole: true, Keys: keys})
}

// LeastJaccard returns the least Jaccard similarity of the features of similar texts.
func (s Spec) LeastJaccard() float64 {
	if s.Measure == Jaccard {
		return s.Similarity
	}
	return s.Similarity / (2 - s.Similarity)
}

// differ returns the probability that a bit differs in a pair of exactly the required similarity.
func (s Spec) differ() float64 {
	if s.Measure == Cosine {
		return math.Acos(s.Similarity) / math.Pi
	}
	return (1 - s.LeastJaccard()) / 2
}

// threshold returns K for fingerprints of the given width. Pairs can be missed because they are
// beyond K, or by the search within K. Each may lose half of the pairs that Recall allows to lose.
func (s Spec) threshold(bits int) int {
	return binomial.Threshold(bits, s.differ(), (1+s.Recall)/2)
}

// Check returns an error if the similarity, its measure or the recall is out of range. Without a
// similarity, Find checks K.
func (s Spec) Check() error {
	if s.Similarity == 0 {
		return nil
	}
	if s.Measure != "" && !slices.Contains(measures, s.Measure) {
		return fmt.Errorf("dedup: measure %q, expected one of %q", s.Measure, measures)
	}
	if !(s.Similarity >= LeastSimilarity && s.Similarity <= 1) {
		return fmt.Errorf("dedup: similarity %v, expected %v to 1", s.Similarity, LeastSimilarity)
	}
	if !(s.Recall > 0 && s.Recall < 1) {
		return fmt.Errorf("dedup: recall %v, expected more than 0 and less than 1, as in 0.99", s.Recall)
	}
	return nil
}

// limit checks a specification, and returns its limit for fingerprints of the given sketch and
// width. The width may differ from the one that Candidates recommends.
func (s Spec) limit(sketch fphash.Kind, bits int) (limit, error) {
	if s.Similarity != 0 {
		if err := s.Check(); err != nil {
			return limit{}, err
		}
		return limit{k: s.threshold(bits), first: true, differ: s.differ()}, nil
	}
	l := limit{k: s.K, first: s.First}
	if s.K == UsualK {
		l.k = DefaultK(sketch, bits)
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
