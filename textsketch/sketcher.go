// Package textsketch computes fingerprints of texts. It combines features (datasets/text), weights
// (datasets/text/weights) and hashing (fphash).
//
// [New] makes a [Sketcher]. Each goroutine calls [Sketcher.Local] and computes fingerprints with
// the result. [Sketcher.Definition] identifies everything that fingerprints depend on: compare only
// fingerprints with equal definitions.
//
// To sketch the documents of a file, such as JSON lines or CSV, open it with documents.Open of
// datasets/documents. This package does not import it, so a program that sketches its own texts
// does not include decompression and parsers.
package textsketch

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/cespare/xxhash/v2"

	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
	"simhashkit/fphash"
)

// Options determine the fingerprints of texts.
type Options struct {
	Text    text.Options
	Weights weights.Options
	Hash    *fphash.Sketcher // required unless Convention is set

	// Convention, if not nil, computes the fingerprints in place of Hash. With OwnFeatures, it also
	// makes the features, and Text and Weights are ignored.
	Convention  Convention
	OwnFeatures bool

	// Whole makes the bytes of a text without features, such as punctuation, its only feature. Such
	// texts are near only equal texts. An empty text has no features.
	Whole bool

	// Keys, if not nil, are computed with each fingerprint; see Local.Keys. They require MinHash
	// with the default hash, and words as features.
	Keys *Keys
}

// Convention computes fingerprints as another system does; package
// simhashkit/fphash/conventions implements it. It is safe for concurrent use.
type Convention interface {
	String() string // the definition
	Bits() int
	// AppendFeatures appends the fingerprint of features. If weights is nil, each occurrence has
	// weight 1.
	AppendFeatures(dst []uint64, features [][]byte, weights []float64) ([]uint64, fphash.Status, error)
	// AppendText appends the fingerprint of a text whose features the convention makes itself.
	AppendText(dst []uint64, text []byte) ([]uint64, fphash.Status, error)
}

// Sketcher holds everything that fingerprints of texts depend on. It never changes and is safe for
// concurrent use. It computes nothing itself: each goroutine calls Local.
type Sketcher struct {
	options  Options
	analyzer *text.Analyzer
	weigher  *weights.Weigher
	codes    *fphash.Sketcher // takes codes in place of features; nil if not needed
	route    route
}

// route is the way in which features are hashed.
type route int

const (
	byCounts  route = iota // each occurrence has weight 1; there is no vector
	byIndices              // like byCounts, for shingles as numbers
	byCodes                // like byCounts, for words that the analyzer hashes
	byWeights              // a vector of features and weights
)

// New returns a Sketcher. It loads the dictionaries that the text options need, which can take
// seconds the first time.
func New(o Options) (*Sketcher, error) {
	switch {
	case o.Hash == nil && o.Convention == nil:
		return nil, errors.New("textsketch: no Hash and no Convention: set one of them")
	case o.Convention == nil && o.Hash.Definition().Kind == fphash.MinHash:
		if scheme := cmp.Or(o.Weights.Scheme, weights.Count); scheme != weights.Count || o.Weights.Top != 0 {
			return nil, fmt.Errorf("textsketch: weights %s with MinHash, expected %s and all features", scheme, weights.Count)
		}
	}
	analyzer, err := text.New(o.Text)
	if err != nil {
		return nil, err
	}
	weigher, err := weights.New(o.Weights)
	if err != nil {
		return nil, err
	}
	s := &Sketcher{options: o, analyzer: analyzer, weigher: weigher, route: byWeights}
	if scheme := o.Weights.Scheme; (scheme == "" || scheme == weights.Count) && o.Weights.Top == 0 {
		s.route = byCounts
		switch t := analyzer.Options(); {
		case o.Convention != nil:
		case t.Features == text.Bytes && t.N <= 8:
			s.route = byIndices
		case t.Features == text.Words && t.N == 1:
			if s.codes = codesOf(o.Hash); s.codes != nil {
				s.route = byCodes
			}
		}
	}
	if o.Keys != nil {
		if s.route != byCodes || o.Hash.Definition().Kind != fphash.MinHash {
			return nil, errors.New("textsketch: Keys requires words, MinHash and the default hash")
		}
		return s, o.Keys.check()
	}
	return s, nil
}

// Definition returns one line that identifies everything the fingerprints depend on: features,
// weights, hash. It is not an fphash.Definition: in index files, store Hash.String() as Definition
// and Features() as Features.
func (s *Sketcher) Definition() string {
	if s.options.Convention != nil {
		return s.Features() + "; " + s.options.Convention.String()
	}
	return s.Features() + "; " + s.options.Hash.String()
}

// Features returns the first part of Definition, the features and weights.
func (s *Sketcher) Features() string {
	if s.options.OwnFeatures {
		return "its own features"
	}
	return s.analyzer.Options().String() + "; " + s.weigher.String()
}

// Bits returns the width of the fingerprints.
func (s *Sketcher) Bits() int {
	if s.options.Convention != nil {
		return s.options.Convention.Bits()
	}
	return s.options.Hash.Bits()
}

// Words returns the number of words of a fingerprint.
func (s *Sketcher) Words() int { return (s.Bits() + 63) / 64 }

// codesOf returns a Sketcher that computes the same fingerprints as s from the XXH64 of byte
// strings, so that the analyzer can hash words. It returns nil if the hash of s is not plain XXH64:
// there may be a seed, a widening, or a user's family with that name. To find out, codesOf compares
// 64 fingerprints of single words.
func codesOf(s *fphash.Sketcher) *fphash.Sketcher {
	d := s.Definition()
	if d.Hash != fphash.DefaultHash {
		return nil
	}
	d.Hash, d.Encoding, d.Seed = "identity", fphash.LE64, 0
	codes, err := fphash.New(d)
	if err != nil {
		return nil
	}
	for b := range byte(64) {
		word := []byte{b}
		want, _, errWant := fphash.AppendUnit(s, nil, [][]byte{word})
		got, _, errGot := fphash.AppendUnit(codes, nil, []uint64{xxhash.Sum64(word)})
		if errWant != nil || errGot != nil || !slices.Equal(got, want) {
			return nil
		}
	}
	return codes
}
